/** The language of code that the reader has chosen in one group of tabs is shown in all groups, on all pages. */
const KEY = 'docfetch.code-language';

const groups = () => [...document.querySelectorAll('.vp-code-group')];
const labelOf = (input) => input.parentElement.querySelector(`label[for="${input.id}"]`)?.textContent;

export function rememberLanguage() {
  document.addEventListener('change', ({ target }) => {
    if (!target.matches('.vp-code-group input')) return;
    const label = labelOf(target);
    if (target.parentElement.querySelectorAll('input').length < 2) return;
    localStorage.setItem(KEY, label);
    // Groups above this one may become higher or lower: the reader's stays where it is.
    const top = target.parentElement.getBoundingClientRect().top;
    show(label);
    window.scrollBy({ top: target.parentElement.getBoundingClientRect().top - top, behavior: 'instant' });
  });
}

export function showRememberedLanguage() {
  const label = localStorage.getItem(KEY);
  if (label) show(label);
}

/** Groups without the language keep theirs. */
function show(label) {
  for (const group of groups()) {
    const inputs = [...group.querySelectorAll('.tabs input')];
    const at = inputs.findIndex((input) => labelOf(input) === label);
    if (at < 0) continue;
    inputs[at].checked = true;
    for (const [i, block] of [...group.querySelector('.blocks').children].entries()) {
      block.classList.toggle('active', i === at);
    }
  }
}
