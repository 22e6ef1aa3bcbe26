import type { PaymentForm } from '../../api/wallet.ts'

/** Where the payment gateway is going to be shown. */
export interface PaymentTab {
  submit: (form: PaymentForm) => void
  /** Nothing is to be paid after all. */
  close: () => void
}

/**
 * A tab for the payment: this page stays where it is. Must be called in the click itself, before anything is awaited;
 * what opens later is a popup to browsers, and blocked. Where even that is refused, this tab goes to the payment.
 */
export function openPaymentTab(): PaymentTab {
  const name = `payment-${Date.now()}`
  const tab = window.open('', name)
  if (!tab) return { submit: (form) => post(form, '_self'), close: () => {} }
  tab.opener = null // the payment gateway shall have no hold on this page
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
  // A field may be called "submit", and would then hide the form's own.
  HTMLFormElement.prototype.submit.call(form)
  form.remove()
}
