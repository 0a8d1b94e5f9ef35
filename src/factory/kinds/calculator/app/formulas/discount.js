/** The price after one discount, or after two of which the second applies to the rest. */
export const formula = {
  inputs: [
    { key: 'price', label: 'price', unit: 'money', start: 129, min: 0 },
    { key: 'discount', label: 'discountRate', unit: '%', start: 20, min: 0, max: 100, slider: [0, 90, 5] },
    { key: 'extra', label: 'extraDiscount', unit: '%', start: 0, min: 0, max: 100, slider: [0, 50, 5] },
  ],
  compute({ price, discount, extra }) {
    const final = price * (1 - discount / 100) * (1 - extra / 100);
    return [
      { label: 'youPay', value: final, format: 'money' },
      { label: 'youSave', value: price - final, format: 'money' },
      { label: 'wholeDiscount', value: price ? (100 * (price - final)) / price : 0, format: 'percent' },
    ];
  },
};
