import type { AppSpec, Lang } from '../spec.ts';

interface Words {
  readonly open: string;
  readonly assumed: string;
  readonly change: string;
  readonly data: string;
  readonly colours: string;
  readonly serve: string;
}

const words: Record<Lang, Words> = {
  en: {
    open: 'Open `index.html` with a double-click. It is complete: it needs no installation and no network, and what you enter stays in your browser.',
    assumed: 'What was assumed',
    change: 'Changing it',
    data: '`src/index.html` holds the texts, fields and first entries as JSON.',
    colours: '`src/theme.css` holds the colours and corners.',
    serve:
      'The sources in `src/` are plain JavaScript modules; serve the folder with any web server, for example `npx serve src`.',
  },
  de: {
    open: 'Öffne `index.html` mit einem Doppelklick. Die Datei ist vollständig: Sie braucht weder Installation noch Netz, und deine Einträge bleiben in deinem Browser.',
    assumed: 'Was angenommen wurde',
    change: 'Anpassen',
    data: '`src/index.html` enthält Texte, Felder und erste Einträge als JSON.',
    colours: '`src/theme.css` enthält Farben und Ecken.',
    serve:
      'Die Quellen in `src/` sind einfache JavaScript-Module; ein beliebiger Webserver genügt, zum Beispiel `npx serve src`.',
  },
  es: {
    open: 'Abre `index.html` con doble clic. Está completo: no necesita instalación ni red, y tus datos se quedan en tu navegador.',
    assumed: 'Lo que se ha supuesto',
    change: 'Cómo cambiarlo',
    data: '`src/index.html` contiene los textos, los campos y los primeros datos en JSON.',
    colours: '`src/theme.css` contiene los colores y las esquinas.',
    serve:
      'Las fuentes de `src/` son módulos de JavaScript; sirve la carpeta con cualquier servidor, por ejemplo `npx serve src`.',
  },
  fr: {
    open: 'Ouvrez `index.html` d’un double-clic. Le fichier est complet : ni installation ni réseau, et vos données restent dans votre navigateur.',
    assumed: 'Ce qui a été supposé',
    change: 'Modifier',
    data: '`src/index.html` contient les textes, les champs et les premières données en JSON.',
    colours: '`src/theme.css` contient les couleurs et les arrondis.',
    serve:
      'Les sources dans `src/` sont de simples modules JavaScript ; n’importe quel serveur web suffit, par exemple `npx serve src`.',
  },
};

/**
 * The README of a build, in the app's language.
 * @param written the files and what each is for, where a model has written them; null for an app from a template
 */
export function readmeOf(
  spec: AppSpec,
  written: readonly { readonly path: string; readonly purpose: string }[] | null = null,
): string {
  const said = words[spec.lang];
  const sources = written?.map(
    ({ path, purpose }) =>
      `- \`${path === 'index.html' ? 'src/index.html' : path}\`: ${escapeMarkdown(purpose)}`,
  );
  const assumptions = spec.assumptions.map((line) => `- ${escapeMarkdown(line)}`);
  return [
    `# ${escapeMarkdown(spec.name)}`,
    '',
    ...(spec.tagline ? [escapeMarkdown(spec.tagline), ''] : []),
    said.open,
    '',
    ...(assumptions.length > 0 ? [`## ${said.assumed}`, '', ...assumptions, ''] : []),
    `## ${said.change}`,
    '',
    ...(sources ?? [`- ${said.data}`]),
    `- ${said.colours}`,
    `- ${said.serve}`,
    '',
  ].join('\n');
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, '\\$&').replace(/\s+/g, ' ');
}
