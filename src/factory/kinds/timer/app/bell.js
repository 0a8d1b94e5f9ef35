/** A bell. Its sound is made on the spot, so there is no file to load. */
let audio = null;
/** What is to ring: when, by the clock of the sound in seconds, and the tones, which can still be taken back. */
let due = null;

/** Makes sound possible. Browsers allow that only while a person presses something. */
export function wakeBell() {
  try {
    audio ??= new AudioContext();
    if (audio.state === 'suspended') audio.resume();
  } catch {
    // A browser without sound still shows the time.
  }
}

/** Rings the bell some times, after `wait` milliseconds: on time also where the page is in the background and sleeps. */
export function setBell(wait, times) {
  stopBell();
  if (!audio) return;
  const at = audio.currentTime + wait / 1000;
  const tones = Array.from({ length: times }, (_, round) =>
    [660, 880].map((pitch, index) => tone(pitch, at + round * 0.7 + index * 0.18)),
  );
  due = { at, times, tones: tones.flat() };
}

/** Takes back what has not rung yet. */
export function stopBell() {
  for (const each of due?.tones ?? []) each.stop();
  due = null;
}

/** The time is up: what should have rung by now and has not, as after a sleep of the device, rings at once. */
export function ringBell() {
  if (due && audio && due.at > audio.currentTime + 0.5) setBell(0, due.times);
  due = null;
}

function tone(pitch, from) {
  const volume = audio.createGain();
  volume.gain.setValueAtTime(0.0001, from);
  volume.gain.exponentialRampToValueAtTime(0.25, from + 0.03);
  volume.gain.exponentialRampToValueAtTime(0.0001, from + 0.6);
  const made = audio.createOscillator();
  made.frequency.value = pitch;
  made.connect(volume).connect(audio.destination);
  made.start(from);
  made.stop(from + 0.65);
  return made;
}
