/** A loan paid back in equal instalments. */
export const formula = {
  inputs: [
    { key: 'amount', label: 'loanAmount', unit: 'money', start: 250000, min: 0 },
    { key: 'rate', label: 'interestRate', unit: '%', start: 3.8, min: 0, max: 100, slider: [0, 12, 0.05] },
    { key: 'years', label: 'termYears', start: 25, min: 1, max: 100, step: 0.25, slider: [1, 40, 1] },
  ],
  compute({ amount, rate, years }) {
    const months = years * 12;
    const monthly = rate / 1200;
    const payment = monthly === 0 ? amount / months : (amount * monthly) / (1 - (1 + monthly) ** -months);
    return [
      { label: 'monthlyPayment', value: payment, format: 'money' },
      { label: 'totalPaid', value: payment * months, format: 'money' },
      { label: 'totalInterest', value: payment * months - amount, format: 'money' },
      { label: 'instalments', value: months, format: 'number' },
    ];
  },
};
