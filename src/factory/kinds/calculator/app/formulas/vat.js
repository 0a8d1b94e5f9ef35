/** Value added tax, added to a net price or taken out of a gross one. */
export const formula = {
  inputs: [
    { key: 'amount', label: 'amount', unit: 'money', start: 100, min: 0 },
    { key: 'rate', label: 'vatRate', unit: '%', start: 19, min: 0, slider: [0, 27, 0.5] },
    { key: 'mode', label: 'amountIs', options: ['net', 'gross'], start: 'net' },
  ],
  compute({ amount, rate, mode }) {
    const net = mode === 'net' ? amount : amount / (1 + rate / 100);
    const gross = net * (1 + rate / 100);
    const [first, second] = [
      { label: 'grossPrice', value: gross, format: 'money' },
      { label: 'netPrice', value: net, format: 'money' },
    ];
    return [
      ...(mode === 'net' ? [first, second] : [second, first]),
      { label: 'vatAmount', value: gross - net, format: 'money' },
    ];
  },
};
