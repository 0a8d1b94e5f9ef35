/** What an hourly wage comes to. */
export const formula = {
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
