/** How far ahead clicks are set, and how often that is looked after: timers of a page are late, the sound's clock is not. */
const [ahead, every] = [0.25, 60];
/** In the background, a page is woken about once a second. */
const farAhead = 1.5;

/**
 * Steady clicks. They are set a little ahead by the clock of the sound, so that a page that is busy does not make them
 * stumble; a change of tempo holds from the next click that is not set yet.
 * @param settings gives `{beats, bar}`: beats a minute, and how many make a bar
 * @param onbeat is told the place in the bar at each click, for the eye
 */
export function clicker(settings, onbeat) {
  let audio = null;
  let timer = 0;
  let next = 0;
  let beat = 0;

  const now = () => audio?.currentTime ?? performance.now() / 1000;

  function look() {
    while (next < now() + (document.hidden ? farAhead : ahead)) {
      // After a sleep of the device nothing is made up for.
      if (next < now() - 1) next = now();
      const place = beat % settings().bar;
      if (audio) click(audio, next, place === 0);
      const wait = Math.max((next - now()) * 1000, 0);
      setTimeout(() => timer && onbeat(place), wait);
      next += 60 / settings().beats;
      beat = place + 1;
    }
  }

  return {
    running: () => timer !== 0,
    start() {
      try {
        audio ??= new AudioContext();
        audio.resume();
      } catch {
        audio = null;
      }
      beat = 0;
      next = now() + 0.06;
      timer = setInterval(look, every);
      look();
    },
    stop() {
      clearInterval(timer);
      timer = 0;
      audio?.suspend();
    },
  };
}

/** A short click, higher on the first beat of a bar. */
function click(audio, at, first) {
  const volume = audio.createGain();
  volume.gain.setValueAtTime(0.4, at);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.05);
  const tone = audio.createOscillator();
  tone.frequency.value = first ? 1500 : 1000;
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 0.06);
}
