/** Age to the day, and the time until the next birthday. */
export const formula = {
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
