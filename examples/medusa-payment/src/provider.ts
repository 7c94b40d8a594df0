import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types';
import { AbstractPaymentProvider, MedusaError } from '@medusajs/framework/utils';
import { TurnpikeError, WebhookError } from 'turnpike/client';
import { checkOptions, type TurnpikeOptions } from './options.ts';
import { createPayments, RefusedError } from './payments.ts';

/** The error in Medusa's words, so that its API answers with the right status. */
function medusaError(error: unknown): unknown {
  const { Types } = MedusaError;
  if (error instanceof RefusedError) return new MedusaError(Types.NOT_ALLOWED, error.message);
  if (error instanceof TypeError || error instanceof RangeError || error instanceof WebhookError)
    return new MedusaError(Types.INVALID_DATA, error.message);
  if (error instanceof TurnpikeError) {
    const type = error.kind === 'invalid' || error.kind === 'notFound' ? Types.INVALID_DATA : Types.UNEXPECTED_STATE;
    return new MedusaError(type, `Turnpike: ${error.message}`);
  }
  return error;
}

async function translated<Output>(call: Promise<Output>): Promise<Output> {
  try {
    return await call;
  } catch (error) {
    throw medusaError(error);
  }
}

/** Turnpike as a payment provider of Medusa. What it does is in payments.ts. */
export class TurnpikeProvider extends AbstractPaymentProvider<TurnpikeOptions> {
  static override identifier = 'turnpike';
  readonly #payments: ReturnType<typeof createPayments>;

  constructor(container: Record<string, unknown>, options: TurnpikeOptions) {
    super(container, options);
    this.#payments = createPayments(options);
  }

  static override validateOptions(options: Record<string, unknown>): void {
    try {
      checkOptions(options);
    } catch (error) {
      throw medusaError(error);
    }
  }

  initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    return translated(this.#payments.initiatePayment(input));
  }

  updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    return translated(this.#payments.updatePayment(input));
  }

  deletePayment(input: DeletePaymentInput): Promise<DeletePaymentOutput> {
    return translated(this.#payments.deletePayment(input));
  }

  authorizePayment(input: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    return translated(this.#payments.authorizePayment(input));
  }

  getPaymentStatus(input: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return translated(this.#payments.getPaymentStatus(input));
  }

  capturePayment(input: CapturePaymentInput): Promise<CapturePaymentOutput> {
    return translated(this.#payments.capturePayment(input));
  }

  refundPayment(input: RefundPaymentInput): Promise<RefundPaymentOutput> {
    return translated(this.#payments.refundPayment(input));
  }

  cancelPayment(input: CancelPaymentInput): Promise<CancelPaymentOutput> {
    return translated(this.#payments.cancelPayment(input));
  }

  retrievePayment(input: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return translated(this.#payments.retrievePayment(input));
  }

  getWebhookActionAndData(payload: ProviderWebhookPayload['payload']): Promise<WebhookActionResult> {
    return translated(this.#payments.getWebhookActionAndData(payload));
  }
}
