/** Which links others cannot open. */
import assert from "node:assert/strict";
import test from "node:test";
import { client } from "./client.js";

const { isLoopback } = await client("browser/address");

test("a host that is each machine itself", () => {
  for (const host of ["localhost", "LOCALHOST.", "cards.localhost", "127.0.0.1", "127.1.2.3", "[::1]"])
    assert.ok(isLoopback(host), host);
  for (const host of ["192.168.1.5", "box.local", "localhost.example", "127.example.org", "[fe80::1]"])
    assert.ok(!isLoopback(host), host);
});
