import { describe, expect, it } from 'vitest';
import { read } from '../../../../src/factory/read/read.ts';

/** What a prompt has on its document, and what of it is found nowhere. */
function written(prompt: string) {
  const { spec, notTakenUp } = read(prompt);
  const { kind, variant, name, copy, contact, settings, sections } = spec;
  const lines = sections.flatMap(({ type, items }) =>
    type === 'prices'
      ? items.map((item) => [item.meta, item.title, item.price].filter(Boolean).join(' | '))
      : [],
  );
  const text = sections.flatMap((section) =>
    section.type === 'text' ? (section.text ?? '').split('\n') : [],
  );
  return { kind, variant, name, copy, contact, tax: settings['tax'] ?? 0, lines, text, notTakenUp };
}

const plain = { kind: 'document', copy: {}, contact: {}, tax: 0, lines: [], text: [], notTakenUp: [] };
const invoice = { ...plain, variant: 'invoice' };
const certificate = { ...plain, variant: 'certificate' };
const letter = { ...plain, variant: 'letter' };

describe('a document', () => {
  it.each([
    [
      'invoice for Bright Homes Ltd: 3 hours of gardening at £35, hedge trimming £80, 20% VAT, from Tom Field, 4 Oak Lane, York',
      {
        ...invoice,
        name: 'Invoice',
        copy: { recipient: 'Bright Homes Ltd', sender: 'Tom Field' },
        contact: { address: '4 Oak Lane, York' },
        tax: 20,
        lines: ['3 | Hours of gardening | £35', 'Hedge trimming | £80'],
      },
    ],
    [
      'Rechnung an Müller GmbH: 5 Stunden Beratung 90 €, Fahrtkosten 42,50 €, 19 % MwSt., Rechnungsnummer 2026-014',
      {
        ...invoice,
        name: 'Rechnung',
        copy: { recipient: 'Müller GmbH', number: '2026-014' },
        tax: 19,
        // Whether 90 € is the price of one hour is not said, so nothing is multiplied.
        lines: ['5 Stunden Beratung | 90 €', 'Fahrtkosten | 42,50 €'],
      },
    ],
    [
      'factura de Carpintería Ruiz a Hotel Mar: mesa de roble 480 €, 6 sillas a 75 €, IVA 21 %',
      {
        ...invoice,
        name: 'Factura',
        copy: { sender: 'Carpintería Ruiz', recipient: 'Hotel Mar' },
        tax: 21,
        lines: ['Mesa de roble | 480 €', '6 | Sillas | 75 €'],
      },
    ],
    [
      'fattura per lo studio Bianchi: sito web 1200 €, hosting 90 €, IVA 22 %',
      {
        ...invoice,
        name: 'Fattura',
        copy: { recipient: 'Studio Bianchi' },
        tax: 22,
        lines: ['Sito web | 1200 €', 'Hosting | 90 €'],
      },
    ],
    [
      'Quittung für Miete, 850 Euro, von Anna Klein, März 2026',
      {
        ...invoice,
        name: 'Quittung',
        copy: { heading: 'Quittung', sender: 'Anna Klein' },
        lines: ['Miete | 850 Euro'],
        text: ['März 2026'],
      },
    ],
    ['invoice template for my gardening business', { ...invoice, name: 'Invoice for my gardening business' }],
    [
      'swimming certificate for kids: "Seahorse badge", awarded to, date and signature',
      {
        ...certificate,
        name: 'Swimming certificate for kids',
        copy: { heading: 'Swimming certificate', subject: 'Seahorse badge' },
      },
    ],
    [
      'attestation de présence pour Julien Morel, stage de poterie du 3 au 5 mars 2026, signée par Claire Dubois',
      {
        ...certificate,
        name: 'Attestation de présence',
        copy: {
          heading: 'Attestation de présence',
          recipient: 'Julien Morel',
          subject: 'Stage de poterie du 3 au 5 mars 2026',
          signer: 'Claire Dubois',
        },
      },
    ],
    [
      'Urkunde für den 1. Platz beim Sackhüpfen, Kindergarten Sonnenschein, 5. Juli 2026',
      {
        ...certificate,
        name: 'Urkunde',
        copy: { subject: '1. Platz beim Sackhüpfen', date: '2026-07-05' },
        text: ['Kindergarten Sonnenschein'],
      },
    ],
    [
      'certificado de conclusão do curso de violão para Pedro Alves, assinado por Marta Lima',
      {
        ...certificate,
        name: 'Certificado de conclusão do curso de violão',
        copy: {
          heading: 'Certificado de conclusão do curso de violão',
          recipient: 'Pedro Alves',
          signer: 'Marta Lima',
        },
      },
    ],
    [
      'cancellation letter for my gym contract at FitBox, member number 48213, from Paul Weber, Lindenweg 3, 50667 Köln',
      {
        ...letter,
        name: 'Cancellation letter',
        copy: { heading: 'Cancellation letter', subject: 'Gym contract at FitBox', sender: 'Paul Weber' },
        contact: { address: 'Lindenweg 3, 50667 Köln' },
        text: ['Member number 48213'],
      },
    ],
    [
      'letter to my landlord Mr. Jones about the broken heating, from Lisa Marsh, Flat 4, 22 Elm Street, Leeds',
      {
        ...letter,
        name: 'Letter',
        copy: { recipient: 'Landlord Mr. Jones', subject: 'Broken heating', sender: 'Lisa Marsh' },
        contact: { address: 'Flat 4, 22 Elm Street, Leeds' },
      },
    ],
    [
      'Brief, Betreff: Kündigung der Wohnung, Absender: Eva Kern, Empfänger: Haus GmbH',
      {
        ...letter,
        name: 'Brief',
        copy: { subject: 'Kündigung der Wohnung', sender: 'Eva Kern', recipient: 'Haus GmbH' },
      },
    ],
    [
      'carta para a escola sobre a falta do Tiago no dia 3 de março',
      {
        ...letter,
        name: 'Carta',
        copy: { recipient: 'Escola', subject: 'A falta do Tiago no dia 3 de março' },
      },
    ],
    [
      'invoices for my plumbing firm Leak Busters, 12 Dock Road, Hull, phone 01482 555 010, VAT 20%',
      {
        ...invoice,
        name: 'Invoice for my plumbing firm Leak Busters',
        copy: { sender: 'Leak Busters' },
        contact: { address: '12 Dock Road, Hull', phone: '01482 555 010' },
        tax: 20,
      },
    ],
    [
      'lettre de motivation pour un poste de jardinier à la mairie de Nantes',
      {
        ...letter,
        name: 'Lettre de motivation',
        copy: {
          heading: 'Lettre de motivation',
          subject: 'Poste de jardinier',
          recipient: 'Mairie de Nantes',
        },
      },
    ],
  ])('says what the prompt says: %s', (prompt, wanted) => {
    expect(written(prompt)).toEqual(wanted);
  });

  it('has nothing on it that nobody said', () => {
    for (const prompt of [
      'invoice generator',
      'Rechnungsvorlage',
      'plantilla de factura',
      'modèle de facture',
    ])
      expect(written(prompt)).toMatchObject({ ...plain, variant: 'invoice' });
  });

  it.each([
    'track my invoices, who paid and who has not',
    'manage invoices',
    'suivre mes factures',
    'acompanhar minhas faturas',
  ])('is kept rather than written where a verb says so: %s', (prompt) => {
    expect(read(prompt).spec.kind).toBe('tracker');
  });

  it.each([
    'how many litres of paint for a wall',
    'draw names for secret santa',
    'a checklist to print for packing',
  ])('is not made of a word for walls, lots or printers: %s', (prompt) => {
    expect(['document', 'drawing']).not.toContain(read(prompt).spec.kind);
  });

  it('lists what it has no place for', () => {
    expect(written('invoice for freelancers with a due date and a logo').notTakenUp).toEqual([
      'due date and a logo',
    ]);
  });
});

describe('a drawing', () => {
  it.each([
    ['drawing pad for the kitchen table', 'pad', {}],
    ['pixel art editor 24x24', 'pixels', { size: 24 }],
    ['ein Pixel-Art-Editor mit 32 × 32 Feldern', 'pixels', { size: 32 }],
    ['éditeur de pixel art', 'pixels', { size: 16 }],
    ['pixel art editor 500x500', 'pixels', { size: 16 }],
  ])('is free or in squares: %s', (prompt, variant, settings) => {
    expect(read(prompt).spec).toMatchObject({ kind: 'drawing', variant, settings });
  });
});
