#!/bin/sh
# renders as asked with a cache of parsed templates, which the tests empty before each test
set -eu
cat > src/tree.js <<'EOF'
import { TemplateError } from './errors.js';
import { scan } from './scan.js';

/** Returns the pieces of a template, those of a section in its `inside`. */
export function parse(template) {
  const root = { inside: [] };
  const open = [root];
  for (const piece of scan(template)) {
    const section = open.at(-1);
    if (piece.type === 'close') {
      if (section.name !== piece.name) throw new TemplateError(piece.line, `${piece.name} is not open here`);
      open.pop();
    } else {
      const node = { ...piece, inside: [] };
      section.inside.push(node);
      if (piece.type === 'section' || piece.type === 'inverse') open.push(node);
    }
  }
  if (open.length > 1) throw new TemplateError(open.at(-1).line, `${open.at(-1).name} is not closed`);
  return root.inside;
}
EOF
cat > src/render.js <<'EOF'
import { parse } from './tree.js';

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escape = (text) => text.replace(/[&<>"']/g, (char) => ENTITIES[char]);

function lookup(name, around) {
  if (name === '.') return around[0];
  const [first, ...steps] = name.split('.');
  const holder = around.find((item) => item !== null && typeof item === 'object' && Object.hasOwn(item, first));
  return steps.reduce((value, step) => value?.[step], holder?.[first]);
}

function itemsOf(value) {
  if (Array.isArray(value)) return value;
  return value ? [value] : [];
}

function renderAll(nodes, around) {
  return nodes.map((node) => renderOne(node, around)).join('');
}

function renderOne(node, around) {
  if (node.type === 'text') return node.text;
  const value = lookup(node.name, around);
  if (node.type === 'section') return itemsOf(value).map((item) => renderAll(node.inside, [item, ...around])).join('');
  if (node.type === 'inverse') return itemsOf(value).length ? '' : renderAll(node.inside, around);
  const text = String(value ?? '');
  return node.type === 'raw' ? text : escape(text);
}

/** Returns the template with the values of the data in the places of their names. */
export function render(template, data) {
  return renderAll(parse(template), [data]);
}
EOF
cat > src/cache.js <<'EOF'
import { parse } from './tree.js';

const parsed = new Map();

/** Returns the nodes of a template, which are parsed once only. */
export function nodesOf(template) {
  if (!parsed.has(template)) parsed.set(template, parse(template));
  return parsed.get(template);
}

/** Forgets all templates. */
export const forget = () => parsed.clear();
EOF
sed -i "s|^import { parse } from './tree.js'|import { nodesOf } from './cache.js'|; s|renderAll(parse(template), |renderAll(nodesOf(template), |" src/render.js
sed -i "s|^import { expect } from 'vitest';|import { beforeEach, expect } from 'vitest';\\
import { forget } from '../../src/cache.js';|; s|^expect.extend|beforeEach(forget);\\
\\
&|" test/support/matchers.js
cat > test/cache.test.js <<'EOF'
import { expect, it } from 'vitest';
import { nodesOf } from '../src/cache.js';
import './support/matchers.js';

it('parses a template once and renders it with any data', () => {
  expect('{{#a}}{{b}}{{/a}}').toRender({ a: [{ b: 1 }] }, '1');
  const nodes = nodesOf('{{#a}}{{b}}{{/a}}');
  expect('{{#a}}{{b}}{{/a}}').toRender({ a: true, b: '>' }, '&gt;');
  expect(nodesOf('{{#a}}{{b}}{{/a}}')).toBe(nodes);
});
EOF
