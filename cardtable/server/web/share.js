/** A link to a deal by its number. */

/** A link that deals the same cards again. @param {any} table */
export const shared = (table) =>
  `/new?${new URLSearchParams({
    game: table.title,
    preset: table.preset,
    seats: table.seats.length,
    number: table.number,
    ...(Object.keys(table.options).length ? { options: JSON.stringify(table.options) } : {}),
  })}`;
