// Takes the token of a sign-in link from behind the #, where no server sees it, and sends it by the form.
const form = document.querySelector('form[data-link]');

function signIn() {
  const token = location.hash.slice(1);
  if (!token) return;
  history.replaceState(null, '', location.pathname);
  form.elements.link.value = token;
  form.requestSubmit();
}

signIn();
// A link that is opened where this page is already changes nothing but the part behind the #.
addEventListener('hashchange', signIn);
