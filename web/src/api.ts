// Calls to the server. What goes wrong is an ApiError whose message is a sentence for the page.

export class ApiError extends Error {
  /** status: of HTTP; 0: there was no answer. errors: of a form that was refused, a sentence by field; "" for what is of no one field. */
  constructor(
    message: string,
    readonly status: number,
    readonly errors: Record<string, string> = {},
  ) {
    super(message);
  }
}

const STARTING = 503; // the server still loads what plays
const RETRY_MS = 1000;
const HIDDEN_MS = 5_000; // after which a page that is not seen lets its connection go
export const LOST = "The studio does not answer. Is the command boardgym studio still running?";
const LOST_FILE = "The studio does not answer, or has refused a file of this size.";

/** Whether the server answers. Fires "change"; while it does not answer it is asked again and again. */
class Connection extends EventTarget {
  isLost = false;
  private isAsking = false;

  set(isLost: boolean): void {
    if (isLost !== this.isLost) {
      this.isLost = isLost;
      this.dispatchEvent(new Event("change"));
    }
    if (isLost && !this.isAsking) void this.ask();
  }

  private async ask(): Promise<void> {
    this.isAsking = true;
    while (this.isLost) {
      await pause(RETRY_MS);
      const isReady = await fetch("/api/ready").then(
        async (response) => ((await response.json()) as { ready: boolean }).ready,
        () => false,
      );
      if (isReady) this.set(false);
    }
    this.isAsking = false;
  }
}

export const connection = new Connection();

type Timer = ReturnType<typeof setTimeout> | undefined;

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** What is sent: files and forms as they are, all else as JSON. */
function asBody(body: unknown): { body?: BodyInit; headers?: Record<string, string> } {
  if (body === undefined) return {};
  if (body instanceof FormData) return { body }; // whose type the browser writes
  if (body instanceof Blob) return { body, headers: { "Content-Type": "application/octet-stream" } };
  return { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
}

/** Asks the server, which is waited for while it starts. Throws an ApiError, also for an answer that is a refusal. */
export async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  for (;;) {
    let response: Response;
    try {
      response = await fetch(`/api${path}`, { method, signal, ...asBody(body) });
    } catch (error) {
      if (signal?.aborted) throw error;
      connection.set(true);
      throw new ApiError(body instanceof Blob || body instanceof FormData ? LOST_FILE : LOST, 0);
    }
    if (response.status !== STARTING) {
      connection.set(false);
      return checked(response);
    }
    await pause(150);
  }
}

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  const said = (await response.json().catch(() => null)) as { error?: string; errors?: Record<string, string> } | null;
  throw new ApiError(said?.error ?? `The studio answered ${response.status}.`, response.status, said?.errors);
}

export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await send(method, path, body);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export const get = <T>(path: string): Promise<T> => call<T>("GET", path);
export const post = <T>(path: string, body: unknown = {}): Promise<T> => call<T>("POST", path, body);
export const remove = (path: string): Promise<void> => call<void>("DELETE", path);

/** What a form says of its refusal: a sentence for each field that is wrong, and one for it all. */
export function refusal(error: unknown): { errors: Record<string, string>; message: string } {
  const errors = error instanceof ApiError ? error.errors : {};
  const isMarked = Object.keys(errors).some((name) => name !== "");
  return { errors, message: errors[""] ?? (isMarked ? "The marked fields cannot stay as they are." : sentence(error)) };
}

/** The sentence of whatever was thrown. */
export const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Server-sent events; connects again when the server is back. Returns what ends them.
 *
 * A browser keeps few connections to a server for all its pages together, so a page that has been hidden for a while lets its own
 * go until it is seen again.
 */
export function events<T>(path: string, on: (data: T) => void, lost?: (isLost: boolean) => void): () => void {
  let source: EventSource | undefined;
  let again: Timer; // of another attempt
  let hiding: Timer; // of a page that is not seen
  const open = (): void => {
    clearTimeout(again);
    if (source && source.readyState !== EventSource.CLOSED) return;
    source = new EventSource(`/api${path}`);
    source.onmessage = (event: MessageEvent<string>) => on(JSON.parse(event.data) as T);
    source.onopen = () => {
      connection.set(false);
      lost?.(false);
    };
    source.onerror = () => {
      if (source?.readyState === EventSource.CLOSED) again = setTimeout(open, RETRY_MS); // refused, as by a server that starts
      void fetch("/api/ready").catch(() => connection.set(true));
      lost?.(true); // which may end it all
    };
  };
  const close = (): void => {
    clearTimeout(again);
    clearTimeout(hiding);
    source?.close();
  };
  const seen = (): void => {
    clearTimeout(hiding);
    if (!document.hidden) return open();
    hiding = setTimeout(close, HIDDEN_MS);
  };
  document.addEventListener("visibilitychange", seen);
  open();
  return () => {
    document.removeEventListener("visibilitychange", seen);
    close();
  };
}
