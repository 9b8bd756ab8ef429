import { expect } from 'vitest';
import { render } from '../../src/render.js';

expect.extend({
  /** expect(template).toRender(data, want) */
  toRender(template, data, want) {
    const got = render(template, data);
    return {
      pass: got === want,
      message: () => `${JSON.stringify(template)} gives ${JSON.stringify(got)}, not ${JSON.stringify(want)}`,
    };
  },
});
