import type { PaymentForm } from '../../api/wallet.ts'

/** The tab for the payment gateway. */
export interface PaymentTab {
  submit: (form: PaymentForm) => void
  /** Closes the tab if there is nothing to pay. */
  close: () => void
}

/**
 * Opens a tab for the payment, so that this page stays. Must be called in the click handler before any await; otherwise
 * browsers block it as a popup. If it is blocked all the same, the payment opens in this tab.
 */
export function openPaymentTab(): PaymentTab {
  const name = `payment-${Date.now()}`
  const tab = window.open('', name)
  if (!tab) return { submit: (form) => post(form, '_self'), close: () => {} }
  tab.opener = null // the payment gateway must not access this page
  return { submit: (form) => post(form, name), close: () => tab.close() }
}

function post({ url, fields }: PaymentForm, target: string): void {
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
  // A field named "submit" would hide the form's method.
  HTMLFormElement.prototype.submit.call(form)
  form.remove()
}
