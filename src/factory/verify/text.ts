import { type Problem, problem } from '../problem.ts';

const placeholders = [
  /\b(rest|remainder) of (the|your) (code|file|function|styles)\b/i,
  /\bexisting code\b/i,
  /\b(code|logic|implementation) (goes|remains|stays) (here|unchanged|the same)\b/i,
  /\bTODO\b|\bFIXME\b/,
  /\blorem ipsum\b/i,
  /\byour[-_ ]?(api[-_ ]?key|code here)\b/i,
];

/** No gap was left for somebody else to fill. What the user wrote stands in the page's data, which is left out. */
export function placeholderProblems(file: string, text: string): Problem[] {
  const own = withoutData(text);
  return own.split('\n').flatMap((line, index) => {
    const found = placeholders.map((pattern) => pattern.exec(line)?.[0]).find((match) => match !== undefined);
    return found ? [problem('placeholder', `“${found}” was left to be filled in.`, file, index + 1)] : [];
  });
}

const requests =
  /\b(?:fetch(?!\(app\.contact\.endpoint \?\? '',)|sendBeacon|importScripts)\s*\(|\bnew\s+(?:XMLHttpRequest|WebSocket|EventSource|RTCPeerConnection|WebTransport)\b|\bserviceWorker\b|\.(?:src|srcset|action|poster)\s*=\s*['"`]\s*(?:https?:)?\/\/|\blocation(?:\.href)?\s*=(?!=)\s*['"`]\s*(?:https?:)?\/\/|\blocation\.(?:assign|replace)\s*\(|\bwindow\.open\s*\(/;

/**
 * Scripts do not ask for the network in plain words. This is a hint to whoever writes the app, so that it works without:
 * code in disguise passes. The address that answers are posted to is the owner's, and only its page lets it through. What keeps an app from the network is the policy of its page and of its preview.
 */
export function requestProblems(file: string, text: string): Problem[] {
  if (!/\.(js|jsx|ts|tsx)$/.test(file)) return [];
  return text.split('\n').flatMap((line, index) => {
    const found = requests.exec(line)?.[0];
    return found
      ? [
          problem(
            'refs.external',
            `${found.trim()} needs the network; an app must work without.`,
            file,
            index + 1,
          ),
        ]
      : [];
  });
}

/** The same number of lines without what stands between the tags of the page's data, its title and its description. */
function withoutData(text: string): string {
  const blank = (match: string) => match.replace(/[^\n]/g, ' ');
  return text
    .replace(/<script type="application\/json"[\s\S]*?<\/script>/g, blank)
    .replace(/<title>[\s\S]*?<\/title>/g, blank)
    .replace(/<meta name="description"[^>]*>/g, blank);
}
