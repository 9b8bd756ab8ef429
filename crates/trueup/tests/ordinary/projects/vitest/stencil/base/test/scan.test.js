import { describe, expect, it } from 'vitest';
import { TemplateError } from '../src/errors.js';
import { scan } from '../src/scan.js';

describe('scan', () => {
  it('finds all sorts of tags', () => {
    expect(scan('a{{b}}{{{ c.d }}}{{#e}}{{^f}}\n{{/f}}')).toEqual([
      { type: 'text', text: 'a', line: 1 },
      { type: 'value', name: 'b', line: 1 },
      { type: 'raw', name: 'c.d', line: 1 },
      { type: 'section', name: 'e', line: 1 },
      { type: 'inverse', name: 'f', line: 1 },
      { type: 'text', text: '\n', line: 1 },
      { type: 'close', name: 'f', line: 2 },
    ]);
  });

  it('refuses what only begins like a tag', () => {
    expect(() => scan('one\n{{two')).toThrow(new TemplateError(2, 'not a tag'));
  });
});
