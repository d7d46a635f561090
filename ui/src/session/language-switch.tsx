import { useMessages } from '../messages/use-messages';

export function LanguageSwitch() {
  const { messages, lang, changeLanguage } = useMessages();
  const other = lang === 'de' ? 'en' : 'de';
  return (
    <button
      type="button"
      className="action quiet"
      aria-label={messages.languageSwitch}
      onClick={() => changeLanguage(other)}
    >
      <span lang={other}>{messages.otherLanguage}</span>
    </button>
  );
}
