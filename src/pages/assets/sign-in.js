// Takes the token of a sign-in link from behind the #, where no server sees it, and sends it by the form.
const token = location.hash.slice(1);
if (token) {
  history.replaceState(null, '', location.pathname);
  const field = document.querySelector('input[name="link"]');
  if (field instanceof HTMLInputElement) {
    field.value = token;
    field.form?.requestSubmit();
  }
}
