// Takes the token of a sign-in link from behind the #, where no server sees it, and sends it by the form.
function signIn() {
  const token = location.hash.slice(1);
  if (!token) return;
  history.replaceState(null, '', location.pathname);
  const field = document.querySelector('form[data-link] input[name="link"]');
  if (field instanceof HTMLInputElement) {
    field.value = token;
    field.form?.requestSubmit();
  }
}

signIn();
// A link that is opened where this page is already changes nothing but the part behind the #.
addEventListener('hashchange', signIn);
