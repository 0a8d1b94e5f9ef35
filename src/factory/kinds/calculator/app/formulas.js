/** Age to the day, and the time until the next birthday. */
export const age = {
  inputs: [{ key: 'birth', label: 'birthDate', type: 'date', min: '1900-01-01', start: '1992-05-14' }],
  compute({ birth }) {
    const born = new Date(`${birth}T00:00:00`);
    const today = new Date(new Date().toDateString());
    const birthday = (year) => new Date(year, born.getMonth(), born.getDate());
    const had = birthday(today.getFullYear()) <= today;
    const years = today.getFullYear() - born.getFullYear() - (had ? 0 : 1);
    const last = birthday(today.getFullYear() - (had ? 0 : 1));
    const next = birthday(today.getFullYear() + (had ? 1 : 0));
    const days = (from, to) => Math.round((to - from) / 86400000);
    return [
      { label: 'age', value: years, format: 'years' },
      { label: 'sinceBirthday', value: days(last, today), format: 'days' },
      { label: 'untilBirthday', value: days(today, next), format: 'days' },
      { label: 'daysLived', value: days(born, today), format: 'days' },
    ];
  },
};

/** Body mass index with the ranges of the World Health Organization for adults. */
export const bmi = {
  inputs: [
    { key: 'height', label: 'height', unit: 'cm', start: 172, min: 50, max: 260, slider: [120, 210, 1] },
    { key: 'weight', label: 'weight', unit: 'kg', start: 68, min: 10, max: 400, slider: [35, 160, 0.5] },
  ],
  compute({ height, weight }) {
    const metres = height / 100;
    const bmi = weight / metres ** 2;
    const range = [18.5, 25, 30].findIndex((bound) => bmi < bound);
    const note = ['underweight', 'normalWeight', 'overweight'][range] ?? 'obesity';
    return [
      {
        label: 'bmi',
        value: Math.round(bmi * 10) / 10,
        format: 'number',
        note,
        tone: note === 'normalWeight' ? 'good' : 'soon',
        scale: [14, 40, 18.5, 25, 30],
      },
      { label: 'healthyFrom', value: Math.round(18.5 * metres ** 2 * 10) / 10, format: 'number' },
      { label: 'healthyTo', value: Math.round(24.9 * metres ** 2 * 10) / 10, format: 'number' },
    ];
  },
};

/** Daily need by the Mifflin-St Jeor equation. */
export const calories = {
  inputs: [
    { key: 'sex', label: 'sex', options: ['female', 'male'], start: 'female' },
    { key: 'age', label: 'ageYears', start: 34, min: 15, max: 110, slider: [15, 90, 1] },
    { key: 'height', label: 'height', unit: 'cm', start: 170, min: 100, max: 250, slider: [140, 210, 1] },
    { key: 'weight', label: 'weight', unit: 'kg', start: 68, min: 30, max: 300, slider: [40, 150, 0.5] },
    {
      key: 'activity',
      label: 'activity',
      options: ['rest', 'lightly', 'moderately', 'very'],
      start: 'lightly',
    },
  ],
  compute({ sex, age, height, weight, activity }) {
    const factors = { rest: 1.2, lightly: 1.375, moderately: 1.55, very: 1.725 };
    const basal = 10 * weight + 6.25 * height - 5 * age + (sex === 'male' ? 5 : -161);
    const need = Math.round(basal * factors[activity]);
    return [
      { label: 'dailyNeed', value: need, format: 'number' },
      { label: 'basalRate', value: Math.round(basal), format: 'number' },
      { label: 'toLose', value: Math.round(need - 500), format: 'number' },
      { label: 'toGain', value: Math.round(need + 300), format: 'number' },
    ];
  },
};

/** The price after one discount, or after two of which the second applies to the rest. */
export const discount = {
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

/** What a trip costs in fuel, for everybody and for each. */
export const fuel = {
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

/** Savings with a deposit each month and interest added each month. */
export const interest = {
  inputs: [
    { key: 'start', label: 'startAmount', unit: 'money', start: 1000, min: 0 },
    { key: 'monthly', label: 'monthlyDeposit', unit: 'money', start: 150, min: 0, slider: [0, 2000, 10] },
    { key: 'rate', label: 'interestRate', unit: '%', start: 4, min: -100, max: 100, slider: [0, 12, 0.1] },
    { key: 'years', label: 'termYears', start: 15, min: 1, max: 100, step: 0.25, slider: [1, 50, 1] },
  ],
  compute({ start, monthly, rate, years }) {
    const months = years * 12;
    const growth = 1 + rate / 1200;
    const grown = growth === 1 ? months : (growth ** months - 1) / (growth - 1);
    const end = start * growth ** months + monthly * grown;
    const paid = start + monthly * months;
    return [
      { label: 'finalAmount', value: end, format: 'money' },
      { label: 'paidIn', value: paid, format: 'money' },
      { label: 'interestEarned', value: end - paid, format: 'money' },
    ];
  },
};

/** A loan paid back in equal instalments. */
export const loan = {
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

/** The three questions one asks about per cent, answered together. */
export const percentage = {
  inputs: [
    { key: 'percent', label: 'percent', unit: '%', start: 15 },
    { key: 'whole', label: 'whole', start: 240 },
    { key: 'part', label: 'comparedWith', start: 300 },
  ],
  compute({ percent, whole, part }) {
    return [
      { label: 'percentOf', value: (whole * percent) / 100, format: 'number' },
      { label: 'wholePlus', value: whole * (1 + percent / 100), format: 'number' },
      { label: 'wholeMinus', value: whole * (1 - percent / 100), format: 'number' },
      ...(whole === 0
        ? []
        : [
            { label: 'isPercentOf', value: (100 * part) / whole, format: 'percent' },
            { label: 'changeInPercent', value: (100 * (part - whole)) / whole, format: 'percent' },
          ]),
    ];
  },
};

/** What an hourly wage comes to. */
export const salary = {
  inputs: [
    { key: 'wage', label: 'hourlyWage', unit: 'money', start: 24, min: 0 },
    { key: 'hours', label: 'hoursPerWeek', start: 38, min: 0, max: 168, slider: [0, 60, 0.5] },
    { key: 'weeks', label: 'weeksPerYear', start: 52, min: 1, max: 53, slider: [1, 52, 1] },
  ],
  compute({ wage, hours, weeks }) {
    const year = wage * hours * weeks;
    return [
      { label: 'perMonth_salary', value: year / 12, format: 'money' },
      { label: 'perYear', value: year, format: 'money' },
      { label: 'perWeek', value: wage * hours, format: 'money' },
      { label: 'perDay', value: (wage * hours) / 5, format: 'money' },
    ];
  },
};

/** The tip, and what each person pays. */
export const tip = {
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

/** Value added tax, added to a net price or taken out of a gross one. */
export const vat = {
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
