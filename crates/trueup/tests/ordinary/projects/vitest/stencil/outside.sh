#!/bin/sh
node --input-type=module - <<'JS'
import { pathToFileURL } from 'node:url';
const from = (file) => import(pathToFileURL(`${process.cwd()}/src/${file}`));
const { render } = await from('render.js');
const { TemplateError } = await from('errors.js');
function fail(text) {
  console.log(text);
  process.exit(1);
}
function same(template, data, want) {
  const before = JSON.stringify(data);
  for (const turn of [1, 2]) {
    let got;
    try {
      got = render(template, data);
    } catch (error) {
      fail(`${template}: ${error}`);
    }
    if (typeof got !== 'string' || got !== want) fail(`${template}, turn ${turn}: ${got}`);
  }
  if (JSON.stringify(data) !== before) fail(`${template}: the data have changed`);
}
function refused(template, line, data = { x: 1, y: [1], z: false }) {
  let got;
  try {
    got = render(template, data);
  } catch (error) {
    if (!(error instanceof TemplateError) || error.line !== line) fail(`${template}: ${error} ${error.line}`);
    return;
  }
  fail(`${template} is let in: ${got}`);
}
same('{{v}}{{{v}}}', { v: `&<>"'` }, `&amp;&lt;&gt;&quot;&#39;&<>"'`);
same('{{v.w}}', { v: { w: "a'b" } }, 'a&#39;b');
same('{{{v.w.x}}}', { v: { w: { x: '<' } } }, '<');
same('<{{q}}{{q.r}}{{s.t.u}}>', { s: { t: 5 }, q: null }, '<>');
same('{{#l}}{{k}},{{/l}}.', { l: [{ k: 'u' }, { k: '<' }, { k: 'w' }] }, 'u,&lt;,w,.');
same('{{#l}}{{{.}}}{{.}}{{/l}}', { l: ['&', 'b'] }, '&&amp;bb');
same('{{#o.l}}{{o.t}}{{n}}{{/o.l}}', { o: { l: [{ n: 1 }, {}], t: '#' }, n: 9 }, '#1#9');
same('{{#z}}a{{/z}}{{^z}}b{{/z}}', { z: 0 }, 'b');
same('{{#z}}a{{/z}}{{^z}}b{{/z}}', { z: '' }, 'b');
same('{{#z}}a{{w}}{{/z}}{{^z}}b{{/z}}', { z: 'yes', w: 1 }, 'a1');
same('{{#p}}{{#q}}{{#r}}{{.}}{{s}}{{/r}}{{/q}}{{^q}}!{{/q}}{{/p}}', { s: 's', p: [{ q: true, r: [7, 8] }, { q: [] }] }, '7s8s!');
same('{{#a}}{{#a}}{{c}}{{/a}}{{/a}}', { a: { a: [{ c: 1 }, { c: 2 }], c: 3 } }, '12');
same('{{^n}}{{m}}{{^n}}{{m}}{{/n}}{{/n}}', { m: '"' }, '&quot;&quot;');
same('{{#big}}{{.}}{{/big}}', { big: Array.from({ length: 300 }, (_, i) => i) }, Array.from({ length: 300 }, (_, i) => i).join(''));
refused('a\nb\n{{#z}}c', 3);
refused('{{^x}}\n{{#y}}{{/y}}\n', 1);
refused('{{#z}}\n\n{{/x}}', 3);
refused('\n{{#y}}{{/y}}\n{{/y}}', 3);
JS
