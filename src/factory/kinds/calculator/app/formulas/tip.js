/** The tip, and what each person pays. */
export const formula = {
  inputs: [
    { key: 'bill', label: 'bill', unit: 'money', start: 84.5, min: 0 },
    { key: 'tip', label: 'tipRate', unit: '%', start: 15, min: 0, slider: [0, 30, 1] },
    { key: 'people', label: 'people', start: 2, min: 1, step: 1, slider: [1, 12, 1] },
  ],
  compute({ bill, tip, people }) {
    const extra = (bill * tip) / 100;
    return [
      { label: 'eachPays', value: (bill + extra) / people, format: 'money' },
      { label: 'tipAmount', value: extra, format: 'money' },
      { label: 'totalBill', value: bill + extra, format: 'money' },
      { label: 'tipEach', value: extra / people, format: 'money' },
    ];
  },
};
