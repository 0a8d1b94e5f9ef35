import { expect, it } from 'vitest';
import { answerBytes, endOf, wires } from '../vendor-answers.ts';

const answer = { id: 'a', model: 'm', text: 'Some text of an answer.', prompt: 20, completion: 5 };

it.each(wires)(
  'an answer of %s is over with its last byte, a stream with the event that says why',
  (wire) => {
    const whole = answerBytes(wire, false, answer);
    expect(endOf(whole)).toBe(whole.length);
    const stream = answerBytes(wire, true, answer);
    const end = endOf(stream);
    expect(end).toBeLessThan(stream.length);
    expect(stream.toString('utf8', 0, end)).toMatch(/"(finish|stop)_reason":"(stop|end_turn)"[^\n]*\n\n$/);
  },
);
