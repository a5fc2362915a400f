// What the suggested policies do, in a sentence each. docs/policies.md has the whole list.

const SENTENCES: Record<string, string> = {
  random: "Plays any legal move.",
  greedy: "Looks one move ahead.",
  positional: "Looks one move ahead, for good squares.",
  mobility: "Looks one move ahead, for more moves than you have.",
  parity: "Looks one move ahead, for the last move in each region.",
  max_disc: "Looks one move ahead, for the most discs.",
  mills: "Looks one move ahead, for mills.",
  minimax: "Looks as many moves ahead as the number says.",
  maxn: "Looks as many moves ahead as the number says; each seat for itself.",
  expectiminimax: "Looks as many moves ahead as the number says, over all dice.",
  uct: "Plays as many games in its head as the number says.",
  puct: "Searches as often as the number says, led by what it knows of the game.",
  best: "Plays as well as it can in the time that it is given for a move.",
  level: "Plays at a level from 1, the weakest, to 20.",
  agent: "Plays as it has learnt: an agent that comes with boardgym.",
  perfect: "Plays perfectly where it can tell; otherwise as the policy in brackets.",
  epsilon: "Plays as the policy in brackets, and now and then any legal move.",
  mix: "Draws one of its policies for each game.",
};

/** What a spec such as "minimax:4" plays; empty for one that is not known here. */
export function helpOf(spec: string): string {
  return SENTENCES[/^\w*/.exec(spec.trim())?.[0] ?? ""] ?? "";
}
