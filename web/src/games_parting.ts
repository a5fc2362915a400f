// Where two games part.

/** What was played: a game by its rules, a first position, moves. */
export interface Course {
  game: string;
  options: object;
  start: string;
  moves: string[];
}

/** Where two games part: the number of moves that they share, and the same in words. */
export function parting(one: Course, other: Course): [number, string] {
  const [first, second] = [one.moves, other.moves];
  if (one.game !== other.game || JSON.stringify(one.options) !== JSON.stringify(other.options))
    return [0, "These games have different rules."];
  if (one.start !== other.start) return [0, "These games begin from different positions."];
  let shared = 0;
  while (shared < first.length && first[shared] === second[shared]) shared++;
  if (shared === first.length && shared === second.length) return [shared, "All moves of these games are the same."];
  const ply = `ply ${shared + 1}`;
  if (shared === first.length) return [shared, `The first game ends where the second goes on: ${second[shared]} at ${ply}.`];
  if (shared === second.length) return [shared, `The second game ends where the first goes on: ${first[shared]} at ${ply}.`];
  return [shared, `They part at ${ply}: ${first[shared]} in the first game, ${second[shared]} in the second.`];
}
