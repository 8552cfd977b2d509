/** A link to a deal by its number. */

/** The same cards again, for whoever opens the link. @param {any} table */
export const shared = (table) =>
  `/new?${new URLSearchParams({ game: table.title, preset: table.preset, seats: table.seats.length, number: table.number, ...(Object.keys(table.options).length ? { options: JSON.stringify(table.options) } : {}) })}`;
