/** What a browser itself checks of a shuffle; its part in one is tested in tests/browser/test_browser_shuffle.py. */
import assert from "node:assert/strict";
import test from "node:test";
import { client } from "./client.js";

const { proofIn, checked } = await client("net/shuffle");

test("a proof from before there were commitments is checked as far as it goes", async () => {
  const record =
    'seed = "x"\n[fair]\ntable = "T"\nmatch = 1\ncommitment = "c"\nsecret = "00"\nentropy = ["é \\" x", ""]\n';
  const { proof, seed } = proofIn(record);
  assert.deepEqual([proof.commitments, proof.entropy, seed], [[], ['é " x', ""], "x"]);
  assert.match((await checked(proof, seed)).wrong, /server's commitment/);
});

test("a tab reveals its part, though another tab wrote at the same time", async () => {
  const tabs = [];
  for (const name of ["one", "other"]) {
    const { Shuffler } = await import(`/static/net/shuffle.js?${name}`); // a separate module, as in another tab
    const tab = { sent: {} };
    tab.shuffler = new Shuffler((type, fields) => (tab.sent[type] = fields));
    tabs.push(tab);
  }
  const { getItem } = localStorage;
  const seen = (may, commitments) => ({
    id: "T",
    match: 0,
    you: 0,
    stage: "shuffling",
    may,
    fair: { commitment: "c" },
    seats: commitments.map((commitment) => ({ commitment })),
  });
  localStorage.getItem = () => null; // neither sees what the other writes
  for (const { shuffler } of tabs) await shuffler.see(seen(["commit"], ["", ""]));
  localStorage.getItem = getItem;
  const [first, second] = tabs;
  assert.notEqual(first.sent.commit.commitment, second.sent.commit.commitment);
  const taken = seen(["reveal"], [first.sent.commit.commitment, "d"]);
  assert.deepEqual(await first.shuffler.see(taken), { wrong: "", note: "" });
  assert.ok(first.sent.reveal, "the server has taken its commitment");
});
