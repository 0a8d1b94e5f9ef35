/** The value of an expression such as `2*(3+4)`, or null while it is not complete. A `%` divides by 100. */
export function calculate(text) {
  let at = 0;

  const sum = () => {
    let left = product();
    while (text[at] === '+' || text[at] === '-')
      left = text[at++] === '+' ? left + product() : left - product();
    return left;
  };
  const product = () => {
    let left = factor();
    while (text[at] === '*' || text[at] === '/')
      left = text[at++] === '*' ? left * factor() : left / factor();
    return left;
  };
  const factor = () => {
    if (text[at] === '-') {
      at++;
      return -factor();
    }
    let number = text[at] === '(' ? group() : literal();
    while (text[at] === '%') {
      at++;
      number /= 100;
    }
    return number;
  };
  const group = () => {
    at++;
    const inner = sum();
    if (text[at] === ')') at++;
    return inner;
  };
  const literal = () => {
    const [digits] = text.slice(at).match(/^\d*\.?\d*/);
    at += digits.length;
    return digits === '' || digits === '.' ? Number.NaN : Number(digits);
  };

  const result = sum();
  return at === text.length && Number.isFinite(result) ? result : null;
}
