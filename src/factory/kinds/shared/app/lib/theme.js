import { icon, iconButton, put } from './dom.js';
import { t } from './i18n.js';
import { recall, remember } from './store.js';

const root = document.documentElement;
const systemDark = matchMedia('(prefers-color-scheme: dark)');

const isDark = () => root.dataset.theme === 'dark' || (root.dataset.theme === 'auto' && systemDark.matches);

/** A button that turns between light and dark and remembers the choice. */
export function themeButton() {
  root.dataset.theme = recall('theme', root.dataset.theme);
  const draw = () => put(button, icon(isDark() ? 'sun' : 'moon'));
  const turn = () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    remember('theme', root.dataset.theme);
    draw();
  };
  const button = iconButton('moon', t('theme'), turn);
  systemDark.addEventListener('change', draw);
  draw();
  return button;
}
