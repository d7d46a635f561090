/** Texts for errors, and for the end of an authorization or a session. */
export const errors = {
  authorization: {
    success: { title: 'The account is connected', text: 'You can close this page and go back to your application.' },
    cancelled: {
      title: 'Nothing has been changed',
      text: 'You did not allow access. You can close this page and go back to your application.',
    },
    error: {
      title: 'The account could not be connected',
      text: 'Please go back to your application and try again.',
    },
    /** Result of an authorization, in the language of the session, which is known only after it has been resumed. */
    outcome: {
      AUTHORIZED: 'The account is connected.',
      AUTHORIZATION_DENIED: 'You did not allow access at the provider. Nothing has been changed.',
      AUTHORIZATION_EXPIRED: 'This took too long, or was started again in the meantime. Please try again.',
      AUTHORIZATION_USED:
        'This response from the provider has already been used. Please check whether the account is connected.',
      AUTHORIZATION_INVALID: 'This link is not valid, or was opened in another browser. Please start again.',
      AUTHORIZATION_FAILED: 'The provider did not complete the sign-in. Please try again.',
      ACCOUNT_WITHOUT_ACCESS:
        'The account with which you signed in has no access to this mailbox. Please check the address of the mailbox, or sign in with another account.',
      ACCOUNT_MISMATCH:
        'This is a different account from the one connected before. Please sign in with that account, or connect this one as a new source.',
      SCOPE_MISSING: 'Not all required permissions were granted. Please try again and tick every box at the provider.',
      PROVIDER_UNREACHABLE: 'The provider cannot be reached at the moment. Please try again later.',
      INTEGRATION_NOT_AVAILABLE:
        'This source is not available at the moment. Please contact the support of your application.',
      INTERNAL_ERROR: 'Something went wrong on our side. Please try again.',
    },
    /** Follows the outcome of an error when there is no link back. */
    goBack: 'To do so, please go back to your application.',
  },
  expiry: {
    soon: (minutes: number) =>
      minutes <= 1
        ? 'For your security, this session ends in a minute. Input that has not been saved by then is lost.'
        : `For your security, this session ends in ${minutes}\u00a0minutes. Input that has not been saved by then is lost.`,
    title: 'This session has ended',
    text: 'For your security, a session lasts 30 minutes. What you have saved is safe. Please go back and open the page again.',
    noSessionTitle: 'Please open this page from your application',
    noSessionText: 'Only then do we know who you are. Please use the button there again.',
    invalidTitle: 'This link is not valid',
    invalidText: 'It is incomplete or has expired. Please go back to your application and open the page again.',
  },
  problem: {
    network: 'There is no internet connection, or the service cannot be reached.',
    networkTitle: 'No connection',
    offline: 'You are offline.',
    retryOnline: 'Please try again when you are online again.',
    /** Follows the others in a form. */
    inputKept: 'What you have entered is still here.',
    server: 'Something went wrong on our side',
    reference: 'Reference for support',
    copy: 'Copy',
    copied: 'Copied.',
    notFoundTitle: 'This source no longer exists',
    notFoundText: 'It has been deleted, here or elsewhere.',
    forbiddenTitle: 'Not possible with this link',
    unavailableTitle: 'Not available at the moment',
    unexpected: 'Something unexpected happened. Please open this page again from your application.',
    waiting: (seconds: number) =>
      `Too many requests. Please try again in ${seconds === 1 ? 'a second' : `${seconds}\u00a0seconds`}.`,
  },
};
