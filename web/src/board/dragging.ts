// Clicks and drags by mouse, pen or finger: a press and a release on the same place is a click.

export interface Listener {
  piece: (place: number) => boolean; // whether a drag may begin there
  clicked: (place: number) => void;
  dragged: (from: number, to: number) => void;
  shown: (from: number, over: number) => void; // while a drag goes on; -1, -1 at its end
}

const FAR = 6; // pixels, from which a press that moves is a drag

export class Dragging {
  private from = -1;
  private start: [number, number] = [0, 0];
  private isDrag = false;

  constructor(
    private readonly root: () => ShadowRoot,
    private readonly listener: Listener,
  ) {}

  readonly down = (event: PointerEvent): void => {
    if (!event.isPrimary || event.button !== 0) return;
    this.from = placeOf(event.target);
    this.start = [event.clientX, event.clientY];
    this.isDrag = false;
  };

  readonly move = (event: PointerEvent): void => {
    if (this.from < 0 || !event.isPrimary) return;
    if (event.buttons === 0) return this.cancel(); // it was released elsewhere
    const drawing = event.currentTarget as SVGSVGElement;
    if (!this.isDrag) {
      const isFar = Math.hypot(event.clientX - this.start[0], event.clientY - this.start[1]) > FAR;
      if (!isFar || !this.listener.piece(this.from)) return;
      this.isDrag = true;
      drawing.setPointerCapture(event.pointerId);
    }
    this.listener.shown(this.from, this.under(event));
    this.follow(drawing, event);
  };

  readonly up = (event: PointerEvent): void => {
    const { from, isDrag } = this;
    this.cancel();
    const to = this.under(event);
    if (from < 0 || to < 0) return;
    if (from === to) this.listener.clicked(to);
    else if (isDrag) this.listener.dragged(from, to);
  };

  readonly cancel = (): void => {
    if (this.isDrag) this.listener.shown(-1, -1);
    this.from = -1;
    this.isDrag = false;
  };

  /** The place under a pointer, -1 where there is none. */
  private under(event: PointerEvent): number {
    return placeOf(this.root().elementFromPoint(event.clientX, event.clientY));
  }

  /** The dragged piece follows the pointer, without drawing the board anew. */
  private follow(drawing: SVGSVGElement, event: PointerEvent): void {
    const matrix = drawing.getScreenCTM();
    if (!matrix) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    drawing.querySelector(".ghost")?.setAttribute("transform", `translate(${x} ${y})`);
  }
}

function placeOf(target: EventTarget | null): number {
  const cell = target instanceof Element ? target.closest("[data-place]") : null;
  return cell ? Number(cell.getAttribute("data-place")) : -1;
}
