/**
 * What is asked of the page of an app, in a world of its own that the app's scripts do not reach. It is sent as text, so it
 * imports nothing.
 */
({
  /** What can be seen and read: texts, values of fields, names of signs. Lower case, one space between words. */
  text() {
    const values = [...document.querySelectorAll('input, textarea, select')]
      .filter((field) => this.visible(field))
      .map((field) =>
        field.localName === 'select'
          ? (field.selectedOptions[0]?.textContent ?? '')
          : field.type === 'password'
            ? ''
            : field.value,
      );
    const names = [...document.querySelectorAll('[aria-label], [title], img[alt]')]
      .filter((element) => this.visible(element))
      .map((element) => element.getAttribute('aria-label') ?? element.getAttribute('title') ?? element.alt);
    return [document.body?.innerText ?? '', ...values, ...names].join('\n').slice(0, 200_000);
  },

  visible(element) {
    const { width, height } = element.getBoundingClientRect();
    return (
      width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    );
  },

  /** Where to press an element, in the window; its label where the element itself cannot be seen. Null: nowhere. */
  point(element) {
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    for (const target of [element, ...(element.labels ?? [])]) {
      const { left, top, width, height } = target.getBoundingClientRect();
      if (width < 3 || height < 3) continue;
      const x = Math.min(Math.max(left + width / 2, 1), innerWidth - 1);
      const y = Math.min(Math.max(top + height / 2, 1), innerHeight - 1);
      const hit = document.elementFromPoint(x, y);
      if (
        hit &&
        (target.contains(hit) ||
          hit.contains(target) ||
          [...(element.labels ?? [])].some((label) => label.contains(hit)))
      )
        return { x, y };
    }
    return null;
  },

  /** How a value gets into an element: by typing, by setting it, by choosing an option, or not at all. */
  entry(element) {
    if (element.localName === 'textarea' || element.isContentEditable) return 'type';
    if (element.localName === 'select') return 'choose';
    if (element.localName !== 'input') return null;
    if (['date', 'time', 'month', 'week', 'datetime-local', 'color', 'range'].includes(element.type))
      return 'set';
    return ['checkbox', 'radio', 'file', 'button', 'submit', 'reset', 'image', 'hidden'].includes(
      element.type,
    )
      ? null
      : 'type';
  },

  select(element) {
    element.focus();
    if (typeof element.select === 'function') element.select();
    else getSelection()?.selectAllChildren(element);
  },

  set(element, value) {
    const { prototype } = element.localName === 'select' ? HTMLSelectElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, value);
    for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true }));
  },

  /** Chooses the option with this text. Says whether there is one. */
  choose(element, text) {
    const plain = (given) => given.replace(/\s+/g, ' ').trim().toLowerCase();
    const options = [...(element.options ?? [])];
    const found =
      options.find((option) => plain(option.text) === plain(text)) ??
      options.find(
        (option) => plain(option.text).includes(plain(text)) || plain(option.value) === plain(text),
      );
    if (found) this.set(element, found.value);
    return found !== undefined;
  },

  /** The element that has the focus, by its place in the page; empty for none. */
  focused() {
    const element = document.activeElement;
    return element === null || element === document.body ? '' : this.placeOf(element);
  },

  placeOf(element) {
    const steps = [];
    for (let at = element; at?.parentElement; at = at.parentElement)
      steps.unshift([...at.parentElement.children].indexOf(at));
    return steps.join('.');
  },

  /** How many controls the Tab key should reach: of a group of radio buttons one. */
  tabbable() {
    const groups = new Set();
    return [
      ...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]'),
    ].filter((element) => {
      if (
        element.tabIndex < 0 ||
        element.disabled ||
        element.closest('[inert]') ||
        !element.checkVisibility({ visibilityProperty: true })
      )
        return false;
      if (element.type !== 'radio') return true;
      const isNew = !groups.has(element.name);
      groups.add(element.name);
      return isNew;
    }).length;
  },

  /** What is wrong with where things stand. */
  layout() {
    return [...this.tooWide(), ...this.overlaps()].slice(0, 8);
  },

  describe(element) {
    const name = (
      element.getAttribute('aria-label') ??
      element.labels?.[0]?.textContent ??
      element.textContent ??
      ''
    )
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 40);
    const mark = element.id
      ? `#${element.id}`
      : element.classList.length > 0
        ? `.${element.classList[0]}`
        : '';
    return `<${element.localName}${mark}>${name ? ` “${name}”` : ''}`;
  },

  tooWide() {
    const page = document.scrollingElement ?? document.documentElement;
    if (page.scrollWidth <= innerWidth + 1) return [];
    const beyond = [...document.body.querySelectorAll('*')].filter(
      (element) => this.visible(element) && this.end(element) > innerWidth + 1 && !this.clipperOf(element),
    );
    const inner = beyond.filter(
      (element) => !beyond.some((other) => other !== element && element.contains(other)),
    );
    const widest = inner.sort((a, b) => this.end(b) - this.end(a))[0];
    const who = widest
      ? `${this.describe(widest)} reaches ${Math.round(this.end(widest))} px`
      : 'something is wider';
    return [`The page scrolls sideways by ${page.scrollWidth - innerWidth} px: ${who}.`];
  },

  /** Where an element ends, however far the page is scrolled sideways. */
  end(element) {
    return element.getBoundingClientRect().right + scrollX;
  },

  /** The nearest ancestor that scrolls or cuts off sideways by itself. */
  clipperOf(element) {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== 'visible') return at;
    return null;
  },

  overlaps() {
    const root = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
    const all = [...this.controls(root), ...this.texts(root)].slice(0, 600);
    const found = [];
    for (const [index, one] of all.entries()) {
      for (const other of all.slice(index + 1)) {
        if (!this.cross(one, other)) continue;
        found.push(
          `${this.describe(one.element)} and ${this.describe(other.element)} lie across each other.`,
        );
        if (found.length >= 6) return found;
      }
    }
    return found;
  },

  /** What can be used, with the boxes that it takes. */
  controls(root) {
    return [
      ...root.querySelectorAll(
        'button, input, select, textarea, a[href], summary, [role="button"], [role="tab"], [role="switch"]',
      ),
    ]
      .filter((element) => this.stands(element))
      .map((element) => ({ element, control: true, boxes: this.cut(element, [...element.getClientRects()]) }))
      .filter(({ boxes }) => boxes.length > 0);
  },

  /** Elements with text of their own, with the boxes of its lines; a line takes less than the box of its font. */
  texts(root) {
    return [...root.querySelectorAll('*')]
      .filter((element) => !element.closest('svg, select, [aria-hidden="true"]') && this.stands(element))
      .map((element) => {
        const own = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim() !== '');
        const boxes = own.flatMap((node) => {
          const range = document.createRange();
          range.selectNodeContents(node);
          return [...range.getClientRects()].map(({ left, right, top, bottom, height }) => ({
            left,
            right,
            top: top + height * 0.22,
            bottom: bottom - height * 0.22,
          }));
        });
        return { element, control: false, boxes: this.cut(element, boxes) };
      })
      .filter(({ boxes }) => boxes.length > 0);
  },

  /** Whether an element stands in the page, and not above it like a message. */
  stands(element) {
    if (!this.visible(element)) return false;
    for (let at = element; at && at !== document.documentElement; at = at.parentElement) {
      const { position, pointerEvents, clipPath, opacity } = getComputedStyle(at);
      if (position === 'fixed' || position === 'sticky' || clipPath !== 'none' || Number(opacity) < 0.1)
        return false;
      if (at === element && pointerEvents === 'none' && element.localName !== 'input') return false;
      if (at.matches(':popover-open, dialog:modal')) return true;
    }
    return true;
  },

  /** Boxes as far as ancestors that cut off what is beyond them let see; those of a few pixels are hidden on purpose. */
  cut(element, boxes) {
    const whole = boxes.map(({ left, right, top, bottom }) => ({ left, right, top, bottom }));
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at);
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      const frame = at.getBoundingClientRect();
      for (const box of whole) {
        box.left = Math.max(box.left, frame.left);
        box.right = Math.min(box.right, frame.right);
        box.top = Math.max(box.top, frame.top);
        box.bottom = Math.min(box.bottom, frame.bottom);
      }
    }
    return whole.filter(({ left, right, top, bottom }) => right - left > 3 && bottom - top > 3);
  },

  cross(one, other) {
    const [a, b] = [one.element, other.element];
    if (a.contains(b) || b.contains(a)) return false;
    const labelled = (field, label) => [...(field.labels ?? [])].some((each) => each.contains(label));
    const isForLabel = labelled(a, b) || labelled(b, a);
    return one.boxes.some((box) => other.boxes.some((second) => this.noticeable(box, second, isForLabel)));
  },

  noticeable(a, b, isForLabel) {
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (width < 4 || height < 4) return false;
    const within = (inner, outer) =>
      inner.left >= outer.left - 2 &&
      inner.right <= outer.right + 2 &&
      inner.top >= outer.top - 2 &&
      inner.bottom <= outer.bottom + 2;
    // A sign within a field, a switch below its label.
    if (isForLabel || within(a, b) || within(b, a)) return false;
    const area = (box) => (box.right - box.left) * (box.bottom - box.top);
    return width * height >= 0.1 * Math.min(area(a), area(b));
  },
});
