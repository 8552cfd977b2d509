/** A link to a deal by its number. */

/** A link that deals the same cards again. @param {any} table */
export const shared = (table) =>
  `/deal/${encodeURIComponent(table.number)}?${new URLSearchParams({
    game: table.title,
    preset: table.preset,
    seats: table.seats.length,
    ...(Object.keys(table.options).length ? { options: JSON.stringify(table.options) } : {}),
  })}`;
