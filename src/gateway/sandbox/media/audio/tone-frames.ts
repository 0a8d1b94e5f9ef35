/**
 * One frame of each tone in the codecs that are not simple enough to be written by hand. The length of a frame is a
 * multiple of the tone's period, so that the same frame over and over is the tone. Made once from sine waves of a
 * quarter of full volume, and taken from the middle: by LAME 3.100 without bit reservoir, without its padding; by
 * FFmpeg's AAC encoder without TNS and PNS; by libopus at a constant 16 kbit/s with prediction off.
 */
export const toneFrames = {
  /** What follows the header of an MPEG-2 Layer III frame: 208, 250, 292 and 333 Hz at 24 kHz. */
  mp3: [
    'AAtQQhQAuDIkVwj1lAwaKUSK67nLdu1rLMlTIE5PIZPk8hIZP0IoppJ0UdCUU00I0oTTsTo6QA==',
    'AApivhQAuAUE+EesIGDwXhEBMBgJb5x//V/o/p////9H/9G/+////xv/j/+g3/xvkfkA',
    'AAxIWhQADewgKc4R6tAYQ3YRHADIn+vnX7WtIMs7CfpJZDJk2fJ9GiQoZII9KUppQlNKOin0UIRIyQA=',
    'AAmiphQAuAtE/hHqQBhKcEQY4GEFv/5Zf//LJ//1b//Rv/9G//7f/phn//df/6Dw',
  ],
  /** What follows the ADTS header of an AAC-LC frame: 211, 234, 281 and 328 Hz at 24 kHz. */
  aac: [
    'AQI0rQpT4v1/+H28//lNTzzVamdd/fx3xW+MTVb1WXWa3YGFRMKJpN0r33vh8hPLqSjYzhIp59AoopT2O1ZpWnpU0VaCjRKUD2LSaKmlTRUrQo0dKoVaNCtVCitKqKAVrStStFaCqlaUVqVVpWgqqCpRSta1qVoH',
    'APg0qS5TsoTI49f0//u+f/X/T43crjd5XPC98VXPxvvU4Zmu/PrQCBZV1lZQrYhUOnuX8KNNTrbHKKkseXvMaRJRlHvwJpwlHvwJRlGUe/AJwm78CYJwJCYnCTvwk78O9HvR7yabvJppJplChY8hQmJiSbvO+76QJgk76aYmcA==',
    'AOw0qUilQZ1IIl79/6f/xV/+X49kcfn9fH19v1+eK7P8fs3dSb634+uYAT0ErKysrKFbHXONTP1sKNNRrIGZexYSE+1QSE2qCQm1QSEufSBUAWA5yBZV1dVFg8ukTgTHfgSEx34ATABMDykCgFAAAAALArzAcQHkKAJCgkDg',
    'APY0iHSFoak3x+fH/95/9v59tZxlVHt9pZV76yzL3kWHy4pGkRmI3uiG4amfThRppqV9OZqC6xnA57Pw9UgqC6xUioLHPkBYsULFjnIAVBUFQB5SWOcnOTjGacO/CSbvwJjvw70ZO8mJAkAJppgJgkJJpJpJppJJu/Gf',
  ],
  /** Opus packets of 20 ms, CELT: 200, 250, 300 and 350 Hz. */
  opus: [
    'mGx+1ycLTFIpvtLniTpTGaDtPlHbbeXVl0jWyTLYOPx/8rkX38dVKA==',
    'mGb0F+m/KvmXjzzO2AosRa/B6De4ioFVJoVuWd4vnRlJ2RBhfT/rNQ==',
    'mGb0F7n/ykYmpug4MnHtROly/iuuu5lBOlRbXMoFMlByVUAGbyqktQ==',
    'mGMnvich03QHJgYQAEjiZ3FUvCLySQOphH9IAta9JIQ57yattU/n0g==',
  ],
} as const satisfies Readonly<Record<string, readonly [string, string, string, string]>>;
