// Calls to the server. What goes wrong is an ApiError whose message is a sentence for the page.

export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

const STARTING = 503; // the server still loads what plays
const RETRY_MS = 1000;
const HIDDEN_MS = 5_000; // after which a page that is not seen lets its connection go
const LOST = "The studio does not answer. Is the command boardgym studio still running?";

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

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

async function send(method: string, path: string, body?: unknown): Promise<Response> {
  for (;;) {
    let response: Response;
    try {
      response = await fetch(`/api${path}`, {
        method,
        headers: body === undefined ? {} : { "Content-Type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    } catch {
      connection.set(true);
      throw new ApiError(LOST, 0);
    }
    if (response.status !== STARTING) {
      connection.set(false);
      return response;
    }
    await pause(150);
  }
}

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  const said = (await response.json().catch(() => null)) as { error?: string } | null;
  throw new ApiError(said?.error ?? `The studio answered ${response.status}.`, response.status);
}

export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await checked(await send(method, path, body));
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** An answer that is no JSON. */
export const getFile = async (path: string): Promise<Response> => checked(await send("GET", path));

export const get = <T>(path: string): Promise<T> => call<T>("GET", path);
export const post = <T>(path: string, body: unknown = {}): Promise<T> => call<T>("POST", path, body);
export const remove = (path: string): Promise<void> => call<void>("DELETE", path);

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
  let timer = 0;
  const open = (): void => {
    clearTimeout(timer);
    if (source && source.readyState !== EventSource.CLOSED) return;
    source = new EventSource(`/api${path}`);
    source.onmessage = (event: MessageEvent<string>) => on(JSON.parse(event.data) as T);
    source.onopen = () => {
      connection.set(false);
      lost?.(false);
    };
    source.onerror = () => {
      lost?.(true);
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, RETRY_MS); // refused, as by a server that starts
      void fetch("/api/ready").catch(() => connection.set(true));
    };
  };
  const close = (): void => {
    clearTimeout(timer);
    source?.close();
  };
  const seen = (): void => {
    if (!document.hidden) return open();
    clearTimeout(timer);
    timer = setTimeout(close, HIDDEN_MS);
  };
  document.addEventListener("visibilitychange", seen);
  open();
  return () => {
    document.removeEventListener("visibilitychange", seen);
    close();
  };
}
