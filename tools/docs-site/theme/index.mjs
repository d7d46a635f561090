import { onContentUpdated } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { onMounted } from 'vue';
import './code.css';
import './site.css';
import { rememberLanguage, showRememberedLanguage } from './language.mjs';

export default {
  extends: DefaultTheme,
  setup() {
    onMounted(() => {
      rememberLanguage();
      showRememberedLanguage();
    });
    onContentUpdated(showRememberedLanguage);
  },
};
