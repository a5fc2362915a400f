// How this person wants the page to look: light or dark, and the palette of the boards. Kept in this browser.
import type { ReactiveController, ReactiveControllerHost } from "lit";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const SCHEMES: Record<Theme, string> = { system: "light dark", light: "light", dark: "dark" };
const THEME = "boardgym-theme";
const COLOUR_BLIND = "boardgym-colour-blind";

function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // a browser that keeps nothing
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // the choice holds until the page is closed
  }
}

class Preferences extends EventTarget {
  theme: Theme = THEMES.find((theme) => theme === kept(THEME)) ?? "system";
  isColourBlind = kept(COLOUR_BLIND) === "yes";

  constructor() {
    super();
    this.show();
    addEventListener("storage", (event) => this.follow(event)); // changed in another page
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    keep(THEME, theme);
    this.show();
  }

  setColourBlind(isColourBlind: boolean): void {
    this.isColourBlind = isColourBlind;
    keep(COLOUR_BLIND, isColourBlind ? "yes" : "no");
    this.show();
  }

  private follow(event: StorageEvent): void {
    if (event.key === THEME) this.theme = THEMES.find((theme) => theme === event.newValue) ?? "system";
    if (event.key === COLOUR_BLIND) this.isColourBlind = event.newValue === "yes";
    this.show();
  }

  private show(): void {
    document.documentElement.style.colorScheme = SCHEMES[this.theme];
    this.dispatchEvent(new Event("change"));
  }
}

export const preferences = new Preferences();

/** Draws its element anew when a preference changes. `palette` is for the attribute of <boardgym-board>. */
export class PreferencesController implements ReactiveController {
  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  get palette(): string {
    return preferences.isColourBlind ? "colour-blind" : "";
  }

  hostConnected(): void {
    preferences.addEventListener("change", this.changed);
  }

  hostDisconnected(): void {
    preferences.removeEventListener("change", this.changed);
  }

  private changed = (): void => this.host.requestUpdate();
}
