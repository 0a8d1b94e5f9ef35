import type {
  Transcription,
  TranscriptionSegment,
  TranscriptionVerbose,
} from 'openai/resources/audio/transcriptions';
import type { Segment, Transcript } from './listen.ts';

export const transcriptForms = ['json', 'text', 'srt', 'verbose_json', 'vtt'] as const;

export type TranscriptForm = (typeof transcriptForms)[number];

export interface Written {
  readonly mediaType: string;
  readonly body: string;
}

/**
 * A transcript in one of OpenAI's forms.
 * @param granularities what `verbose_json` times: segments unless the client asks otherwise
 */
export function writeTranscript(
  transcript: Transcript,
  form: TranscriptForm,
  granularities: readonly ('word' | 'segment')[] = ['segment'],
): Written {
  switch (form) {
    case 'json':
      return json({ text: transcript.text, usage: usageOf(transcript) } satisfies Transcription);
    case 'verbose_json':
      return json(verbose(transcript, granularities));
    case 'text':
      return { mediaType: 'text/plain; charset=utf-8', body: `${transcript.text}\n` };
    case 'srt':
      return { mediaType: 'text/plain; charset=utf-8', body: transcript.segments.map(srtCue).join('') };
    case 'vtt':
      return {
        mediaType: 'text/vtt; charset=utf-8',
        body: `WEBVTT\n\n${transcript.segments.map(vttCue).join('')}`,
      };
  }
}

function json(body: object): Written {
  return { mediaType: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

/** Whole seconds, begun ones included. */
function usageOf({ seconds }: Transcript): { type: 'duration'; seconds: number } {
  return { type: 'duration', seconds: Math.ceil(seconds) };
}

/** OpenAI also gives what a model thought of itself; there is none, so those figures are 0. */
function verbose(
  transcript: Transcript,
  granularities: readonly ('word' | 'segment')[],
): TranscriptionVerbose & { readonly task: 'transcribe' } {
  const { language, seconds, text, words, segments } = transcript;
  return {
    task: 'transcribe',
    language,
    duration: seconds,
    text,
    ...(granularities.includes('word') && { words: words.map((word) => ({ ...word })) }),
    ...(granularities.includes('segment') && {
      segments: segments.map(
        ({ start, end, text: sentence }, id): TranscriptionSegment => ({
          id,
          seek: 0,
          start,
          end,
          text: sentence,
          tokens: [],
          temperature: 0,
          avg_logprob: 0,
          compression_ratio: 0,
          no_speech_prob: 0,
        }),
      ),
    }),
    usage: usageOf(transcript),
  };
}

function srtCue({ start, end, text }: Segment, index: number): string {
  return `${index + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${withoutArrow(text)}\n\n`;
}

/** WebVTT, section 4.2.2 (https://www.w3.org/TR/webvtt1/): the text of a cue has references as HTML has. */
function vttCue({ start, end, text }: Segment): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `${clock(start, '.')} --> ${clock(end, '.')}\n${escaped}\n\n`;
}

/** SubRip has no way to escape what stands between its times. */
function withoutArrow(text: string): string {
  return text.replaceAll('-->', '->');
}

function clock(seconds: number, point: '.' | ','): string {
  const total = Math.round(seconds * 1000);
  const part = (value: number, digits: number) => String(value).padStart(digits, '0');
  const [hours, minutes] = [Math.floor(total / 3_600_000), Math.floor(total / 60_000) % 60];
  const rest = `${part(Math.floor(total / 1000) % 60, 2)}${point}${part(total % 1000, 3)}`;
  return `${part(hours, 2)}:${part(minutes, 2)}:${rest}`;
}
