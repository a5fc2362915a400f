// The rooms of the studio, in the order of the bar. Each is an element with the properties `rest` and `query`.
import { html, type TemplateResult } from "lit";

export interface Route {
  room: string;
  rest: string[]; // what follows the room in the address: #/play/7 has ["7"]
  query: URLSearchParams;
}

export interface Room {
  path: string;
  title: string;
  draw: (route: Route) => TemplateResult;
}

export const ROOMS: Room[] = [];

export function routeOf(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [room = "", ...rest] = path.split("/").map(decodeURIComponent);
  return { room: room || (ROOMS[0]?.path ?? ""), rest, query: new URLSearchParams(query) };
}

export const nowhere = (route: Route): TemplateResult => html`<p>There is no room “${route.room}”.</p>`;
