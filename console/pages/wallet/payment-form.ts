import type { PaymentSubmission } from '../../api/wallet.ts'

/** The tab for the payment gateway. */
export interface PaymentTab {
  submit: (form: PaymentSubmission) => void
  /** Closes the tab. Call this if the order failed, because then there is nothing to pay. */
  close: () => void
}

/**
 * Opens a tab for the payment, so that this page remains open. Call this in the click handler before any `await`; otherwise
 * browsers block the tab as a popup. If the tab is still blocked, the payment opens in this tab.
 */
export function openPaymentTab(): PaymentTab {
  const name = `payment-${Date.now()}`
  const tab = window.open('', name)
  if (!tab) return { submit: (form) => postForm(form, '_self'), close: () => {} }
  tab.opener = null // the payment gateway must not access this page
  return { submit: (form) => postForm(form, name), close: () => tab.close() }
}

function postForm({ url, fields }: PaymentSubmission, target: string): void {
  const form = document.createElement('form')
  form.action = url
  form.method = 'POST'
  form.target = target
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  // If the form has a field named "submit", `form.submit` is that field instead of the method.
  HTMLFormElement.prototype.submit.call(form)
  form.remove()
}
