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
const LOST = "The studio does not answer. Is `boardgym studio` still running?";

export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  for (;;) {
    let response: Response;
    try {
      response = await fetch(`/api${path}`, {
        method,
        headers: body === undefined ? {} : { "Content-Type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    } catch {
      throw new ApiError(LOST, 0);
    }
    if (response.status === STARTING) {
      await new Promise((done) => setTimeout(done, 150));
      continue;
    }
    if (response.ok) return (response.status === 204 ? undefined : await response.json()) as T;
    const said = await response.json().catch(() => null);
    throw new ApiError(said?.error ?? `The studio answered ${response.status}.`, response.status);
  }
}

export const get = <T>(path: string): Promise<T> => call<T>("GET", path);
export const post = <T>(path: string, body: unknown = {}): Promise<T> => call<T>("POST", path, body);
export const remove = (path: string): Promise<void> => call<void>("DELETE", path);

/** Server-sent events; the browser connects again by itself. Returns what ends them. */
export function events<T>(path: string, on: (data: T) => void, lost?: (isLost: boolean) => void): () => void {
  const source = new EventSource(`/api${path}`);
  source.onmessage = (event) => on(JSON.parse(event.data) as T);
  source.onopen = () => lost?.(false);
  source.onerror = () => lost?.(true);
  return () => source.close();
}
