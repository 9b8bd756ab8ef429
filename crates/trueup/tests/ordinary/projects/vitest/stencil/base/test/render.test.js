import { describe, expect, it } from 'vitest';
import { TemplateError } from '../src/errors.js';
import { render } from '../src/render.js';
import cases from './cases.json';
import './support/matchers.js';

describe('render', () => {
  it.each(cases)('renders $name', ({ template, data, want }) => {
    expect(template).toRender(data, want);
  });

  it('leaves the data as they are', () => {
    const data = { rows: [{ n: 1 }, { n: 2 }] };
    expect('{{#rows}}{{n}}{{/rows}}').toRender(data, '12');
    expect(data).toEqual({ rows: [{ n: 1 }, { n: 2 }] });
  });

  it.each([
    ['{{#a}}', 1],
    ['\n\n{{^a}}text\n', 3],
    ['{{#a}}\n{{#b}}\n{{/b}}\n', 1],
    ['text\n{{/a}}', 2],
    ['{{#a}}\n{{#b}}\n{{/a}}\n{{/b}}', 3],
  ])('refuses %j', (template, line) => {
    let caught;
    try {
      render(template, { a: true, b: [] });
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(TemplateError);
    expect(caught.line).toBe(line);
  });
});
