// The rooms of the studio, in the order of the bar. Each is an element that is given the route.
import { html, type TemplateResult } from "lit";
import "./analyse.js";
import "./arena.js";
import "./games.js";
import "./othello.js";
import "./play.js";
import "./train.js";

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

export const ROOMS: Room[] = [
  {
    path: "play",
    title: "Play",
    draw: (route) => html`<boardgym-play-room .route=${route}></boardgym-play-room>`,
  },
  {
    path: "analyse",
    title: "Analyse",
    draw: (route) => html`<boardgym-analyse-room .route=${route}></boardgym-analyse-room>`,
  },
  {
    path: "train",
    title: "Train",
    draw: (route) => html`<boardgym-train-room .route=${route}></boardgym-train-room>`,
  },
  {
    path: "games",
    title: "Games",
    draw: (route) => html`<boardgym-games-room .route=${route}></boardgym-games-room>`,
  },
  {
    path: "arena",
    title: "Arena",
    draw: (route) => html`<boardgym-arena-room .route=${route}></boardgym-arena-room>`,
  },
  {
    path: "othello",
    title: "Othello",
    draw: (route) => html`<boardgym-othello-room .route=${route}></boardgym-othello-room>`,
  },
];

export function routeOf(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [room = "", ...rest] = path.split("/").map(decoded);
  return { room: room || (ROOMS[0]?.path ?? ""), rest, query: new URLSearchParams(query) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone %, typed by hand
  }
}

export const nowhere = (route: Route): TemplateResult => html`
  <h1 tabindex="-1">Nothing here</h1>
  <p>There is no room “${route.room}”. <a href="#/${ROOMS[0]?.path ?? ""}">Go to the first room.</a></p>
`;
