import { h } from '../../shared/app/lib/dom.js';
import { t } from '../../shared/app/lib/i18n.js';
import { picture } from '../../shared/app/lib/picture.js';
import { openDesk } from './desk.js';

openDesk(({ write }) => ({
  parts: h(
    'div',
    { class: 'frame' },
    h('span', { class: 'seal', 'aria-hidden': 'true' }, picture()),
    write('heading', { look: 'title' }),
    h(
      'div',
      { class: 'awarded', 'data-first': true },
      write('recipient', { look: 'name', label: t('awardedTo') }),
    ),
    write('subject', { look: 'reason', sort: 'lines', label: t('reason') }),
    write('text', { look: 'body', sort: 'lines', label: t('further') }),
    h(
      'div',
      { class: 'foot' },
      h(
        'div',
        null,
        write('date', { look: 'ruled', sort: 'date' }),
        h('p', { class: 'caption' }, t('part_date')),
      ),
      h('div', null, write('signer', { look: 'ruled' }), h('p', { class: 'caption' }, t('signature'))),
    ),
    write('sender', { look: 'issuer', sort: 'lines', label: t('issuedBy') }),
  ),
}));
