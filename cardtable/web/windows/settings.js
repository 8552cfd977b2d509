/** How the table looks, sounds and moves; kept in this browser. */
import { html } from "../browser/html.js";
import { Dialog } from "./dialog.js";
import { permitted } from "../motion/cue.js";
import { Card, useFaces } from "../faces/cards.js";
import { choose } from "../browser/store.js";
import { useChoices } from "../browser/hooks.js";
import { get } from "../net/api.js";
import { mark, speak } from "../text/language.js";
import { tr } from "../text/message.js";
import { useAsked } from "../net/asked.js";

/** @type {[string, string, [any, string][]][]} */
const KINDS = [
  [
    "speed",
    mark("Speed of cards; and of bots and forced moves, when you play alone"),
    [
      ["slow", mark("Slow")],
      ["normal", mark("Normal")],
      ["fast", mark("Fast")],
      ["instant", mark("At once")],
    ],
  ],
  [
    "faces",
    mark("Faces of the cards"),
    [
      ["auto", mark("As the rules are played")],
      ["french", mark("French")],
      ["italian", mark("Italian")],
      ["spanish", mark("Spanish")],
      ["german", mark("German")],
    ],
  ],
  [
    "suits",
    mark("Suits"),
    [
      ["two", mark("Two colours")],
      ["four", mark("Four colours")],
      ["blind", mark("Colour-blind")],
    ],
  ],
  [
    "letters",
    mark("Letters of the suits on cards"),
    [
      [false, mark("No")],
      [true, mark("S H D C")],
    ],
  ],
  [
    "big",
    mark("Indices"),
    [
      [false, mark("Classic")],
      [true, mark("Large")],
    ],
  ],
  [
    "look",
    mark("Light or dark"),
    [
      ["auto", mark("As the system")],
      ["light", mark("Light")],
      ["dark", mark("Dark")],
      ["contrast", mark("High contrast")],
    ],
  ],
  [
    "felt",
    mark("Cloth"),
    [
      ["green", mark("Green")],
      ["blue", mark("Blue")],
      ["red", mark("Wine")],
      ["grey", mark("Slate")],
    ],
  ],
  [
    "back",
    mark("Backs of the cards"),
    [
      ["lattice", mark("Lattice")],
      ["diamonds", mark("Diamonds")],
      ["waves", mark("Waves")],
      ["plain", mark("Plain")],
    ],
  ],
  [
    "sound",
    mark("Sounds"),
    [
      [false, mark("Off")],
      [true, mark("On")],
    ],
  ],
  [
    "volume",
    mark("Volume"),
    [
      [0.2, mark("Low")],
      [0.5, mark("Medium")],
      [1, mark("High")],
    ],
  ],
  [
    "notice",
    mark("When it is your turn and the page is hidden"),
    [
      [false, mark("Only the tab says so")],
      [true, mark("A notification, and the phone vibrates")],
    ],
  ],
  [
    "confirm",
    mark("To play a card"),
    [
      [false, mark("Choose it once")],
      [true, mark("Choose it twice")],
    ],
  ],
  [
    "sure",
    mark("Confirm risky moves"),
    [
      [true, mark("In games with people")],
      [false, mark("Never")],
    ],
  ],
  [
    "auto",
    mark("When only one move is legal"),
    [
      [false, mark("I make it")],
      [true, mark("Play it automatically (with people: after your usual thinking time)")],
    ],
  ],
  [
    "aids",
    mark("Memory aids: show what is known about the others' cards (counts as help)"),
    [
      [false, mark("Off")],
      [true, mark("On, where the host allows it")],
    ],
  ],
  [
    "tell",
    mark("A screen reader announces"),
    [
      ["all", mark("Everything that happens")],
      ["turns", mark("Turns and payments")],
    ],
  ],
  [
    "coached",
    mark("Coach"),
    [
      [false, mark("Shown")],
      [true, mark("Hidden")],
    ],
  ],
  [
    "side",
    mark("Buttons"),
    [
      ["right", mark("At the right")],
      ["left", mark("At the left")],
    ],
  ],
  [
    "plain",
    mark("Table"),
    [
      [false, mark("Drawn")],
      [true, mark("Plain text")],
    ],
  ],
];

/** @param {string} name @param {any} value */
function take(name, value) {
  choose({ [name]: value, ...(value === "blind" ? { letters: true } : {}) }); // never by colour alone
  if (name === "notice" && value) permitted();
}

/**
 * A choice with its values.
 * @param {{name: string, title: string, values: [any, string, string?][], chosen: any, take: (value: any) => void}}
 * props a value, its name, and the language of the name
 */
const Kind = ({ name, title, values, chosen, take }) => html`<fieldset><legend>${title}</legend>
  ${values.map(
    ([value, text, lang]) => html`<label key=${String(value)} lang=${lang}>
    <input type="radio" name=${name} checked=${chosen === value} onChange=${() => take(value)} /><span>${text}</span>
    </label>`,
  )}
</fieldset>`;

function Choosing() {
  const chosen = /** @type {any} */ (useChoices());
  const [told] = useAsked(() => get("/api/languages"), []);
  const languages = told?.languages ?? [];
  return html`<div class="settings">
    ${
      languages.length > 1 &&
      html`<${Kind} name="language" title=${tr("Language")}
      values=${[
        ["", tr("As the system")],
        ...languages.map((/** @type {any} */ one) => [one.code, one.name, one.code]),
      ]} chosen=${chosen.language} take=${speak} />`
    }
    ${KINDS.map(
      ([name, title, values]) => html`<${Kind} key=${name} name=${name} title=${tr(title)}
      values=${values.map(([value, text]) => [value, tr(text)])} chosen=${chosen[name]}
      take=${(/** @type {any} */ value) => take(name, value)} />`,
    )}
    <p class="sample" aria-hidden="true">${["7S", "QH", "TD", "KC", null].map(
      (card) => html`<${Card} key=${card} card=${card} still />`,
    )}</p>
  </div>`;
}

export function SettingsPage() {
  useFaces(useChoices().faces, null);
  return html`<main class="page" id="main"><h1>${tr("Settings")}</h1>
    <p><a class="button" href="/you">${tr("Your devices and your data")}</a></p><${Choosing} /></main>`;
}

/** @param {{close: () => void}} props */
export function Settings({ close }) {
  return html`<${Dialog} title=${tr("Settings")} close=${close}><${Choosing} /><//>`;
}
