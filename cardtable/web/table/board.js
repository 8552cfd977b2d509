/** A table at which people sit who do nothing: that of a replay, or of a lesson. */

/**
 * @param {string[]} names @param {number | null} [you] the seat of who looks on
 * @param {{name?: string, level?: string}[]} [players] with the names by which their faces are known
 */
export const seated = (names, you = null, players = []) => ({
  names,
  you,
  seats: names.map((name, seat) => ({
    seat,
    name,
    face: players[seat]?.name,
    kind: players[seat]?.level ? "house" : "person",
    present: true,
    online: true,
  })),
  deadline: 0,
});
