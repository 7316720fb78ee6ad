// What ical.js does with a text or a rule; measure.h says how it is measured and printed. "values" reads every value.
//
//   node_peer.mjs parse|values|rewrite FILE
//   node_peer.mjs expand RULE COUNT START

import { readFileSync } from "node:fs";
import ICAL from "ical.js";

function measure(work) {
    const found = work();
    const cpu = [], wall = [];
    let used = 0;
    while (cpu.length === 0 || used < 0.3) {
        const time = performance.now(), before = process.cpuUsage();
        work();
        const after = process.cpuUsage(before);
        wall.push((performance.now() - time) / 1e3);
        cpu.push((after.user + after.system) / 1e6);
        used += cpu.at(-1);
    }
    const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
    const numbers = Object.entries(found).map(([name, number]) => `${name}=${number}`).join(" ");
    console.log(`cpu=${median(cpu)} wall=${median(wall)} passes=${cpu.length} ${numbers}`);
}

const count = (component) => component[2].reduce((sum, inner) => sum + count(inner), 1);
const decoded = (component) =>
    component.getAllProperties().reduce((sum, property) => sum + property.getValues().length, 0)
    + component.getAllSubcomponents().reduce((sum, inner) => sum + decoded(inner), 0);
const number = (t) => ((((t.year * 12 + t.month) * 31 + t.day) * 24 + t.hour) * 60 + t.minute) * 60 + t.second;

const [task, ...operands] = process.argv.slice(2);
if (task === "expand") {
    const [wire, wanted, start] = operands;
    const first = start.replace(/^(....)(..)(..)T(..)(..)(..)$/, "$1-$2-$3T$4:$5:$6");
    measure(() => {
        const iterator = ICAL.Recur.fromString(wire).iterator(ICAL.Time.fromDateTimeString(first));
        let found = 0, sum = 0;
        for (let next; found < Number(wanted) && (next = iterator.next()); found += 1) sum += number(next);
        return { found, sum };
    });
} else {
    const text = readFileSync(operands[0], "utf8");
    measure(() => {
        const tree = ICAL.parse(text);
        if (task === "values") return { values: decoded(new ICAL.Component(tree)) };
        if (task === "rewrite") return { written: ICAL.stringify(tree).length };
        return { components: count(tree) };
    });
}
