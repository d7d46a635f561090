/** What is said when something has ended, or does not work. */
export const errors = {
  authorization: {
    success: { title: 'The account is connected', text: 'You can close this page and go back to your application.' },
    cancelled: {
      title: 'Nothing has been changed',
      text: 'You did not give permission. You can close this page.',
    },
    error: {
      title: 'The account could not be connected',
      text: 'Please go back to your application and try again.',
    },
    /** How the way to a provider ended: said in the language of the session, which nobody knows before it has been given back. */
    outcome: {
      AUTHORIZED: 'The account is connected.',
      AUTHORIZATION_DENIED: 'You did not give permission at the provider. Nothing has been changed.',
      AUTHORIZATION_EXPIRED: 'That took too long, or was started again in the meantime. Please try again.',
      AUTHORIZATION_USED:
        'This answer of the provider has been used already. Please check whether the account is connected.',
      AUTHORIZATION_INVALID: 'This address is not valid, or was opened in another browser. Please start again.',
      AUTHORIZATION_FAILED: 'The provider did not complete the sign-in. Please try again.',
      ACCOUNT_MISMATCH:
        'That is another account than the one connected before. Please sign in with the former one, or connect the other account as a new source.',
      SCOPE_MISSING: 'Not everything that is needed was allowed. Please try again and tick every box at the provider.',
      PROVIDER_UNREACHABLE: 'The provider cannot be reached at the moment. Please try again later.',
      INTEGRATION_NOT_AVAILABLE:
        'This source is not available at the moment. It is not your fault; there is nothing you need to do.',
      INTERNAL_ERROR: 'Something went wrong on our side. Please try again.',
    },
  },
  expiry: {
    soon: (minutes: number) =>
      minutes <= 1
        ? 'For your safety, this session ends in a minute. Please save what you have entered.'
        : `For your safety, this session ends in ${minutes} minutes. Please save what you have entered.`,
    title: 'This session has ended',
    text: 'For your safety a session lasts 30 minutes. What you have saved is safe. Please go back and open the page again.',
    noSessionTitle: 'Please open this page from your application',
    noSessionText:
      'For your safety this page remembers nothing: after a reload it has to be opened anew, with the button in your application.',
    invalidTitle: 'This link is not valid',
    invalidText: 'It may be damaged or no longer in force. Please go back to your application and open the page again.',
  },
  problem: {
    network: 'No connection to the internet, or the service cannot be reached. What you have entered is still here.',
    networkTitle: 'No connection',
    offline: 'You are offline. What you have entered is still here.',
    server: 'Something went wrong on our side',
    reference: 'Reference for support',
    copy: 'Copy',
    copied: 'Copied.',
    notFoundTitle: 'This source no longer exists',
    notFoundText: 'It has been deleted, here or elsewhere.',
    forbiddenTitle: 'Not possible with this link',
    unavailableTitle: 'Not available at the moment',
    unexpected: 'Something unexpected happened on this page. Please open it again from your application.',
    waiting: (seconds: number) => `Too many requests. Please try again in ${seconds} seconds.`,
  },
};
