/** Plays a soft chord some times. It is made on the spot, so there is no sound file to load. */
export function chime(times) {
  try {
    const audio = new AudioContext();
    for (let round = 0; round < times; round++) {
      [660, 880].forEach((pitch, index) => {
        const from = audio.currentTime + round * 0.7 + index * 0.18;
        const volume = audio.createGain();
        volume.gain.setValueAtTime(0.0001, from);
        volume.gain.exponentialRampToValueAtTime(0.25, from + 0.03);
        volume.gain.exponentialRampToValueAtTime(0.0001, from + 0.6);
        const tone = audio.createOscillator();
        tone.frequency.value = pitch;
        tone.connect(volume).connect(audio.destination);
        tone.start(from);
        tone.stop(from + 0.65);
      });
    }
    setTimeout(() => audio.close(), 1000 + times * 800);
  } catch {
    // A browser without sound still shows the time.
  }
}
