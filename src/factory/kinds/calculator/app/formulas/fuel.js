/** What a trip costs in fuel, for everybody and for each. */
export const formula = {
  inputs: [
    { key: 'distance', label: 'distance', unit: 'km', start: 320, min: 0, slider: [0, 2000, 10] },
    { key: 'consumption', label: 'consumption', unit: 'l/100 km', start: 6.4, min: 0, slider: [2, 20, 0.1] },
    { key: 'price', label: 'fuelPrice', unit: 'money', start: 1.72, min: 0 },
    { key: 'people', label: 'people', start: 2, min: 1, step: 1, slider: [1, 8, 1] },
  ],
  compute({ distance, consumption, price, people }) {
    const litres = (distance * consumption) / 100;
    return [
      { label: 'tripCost', value: litres * price, format: 'money' },
      { label: 'eachPays', value: (litres * price) / people, format: 'money' },
      { label: 'litres', value: litres, format: 'number' },
      { label: 'costPer100', value: consumption * price, format: 'money' },
    ];
  },
};
