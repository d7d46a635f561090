import { Button } from 'react-aria-components';
import { useMessages } from '../messages/use-messages';

export function LanguageSwitch() {
  const { messages, lang, changeLanguage } = useMessages();
  const other = lang === 'de' ? 'en' : 'de';
  return (
    <Button className="action quiet" aria-label={messages.languageSwitch} onPress={() => changeLanguage(other)}>
      <span lang={other}>{messages.otherLanguage}</span>
    </Button>
  );
}
