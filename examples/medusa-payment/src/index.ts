import { ModuleProvider, Modules } from '@medusajs/framework/utils';
import { TurnpikeProvider } from './provider.ts';

export default ModuleProvider(Modules.PAYMENT, { services: [TurnpikeProvider] });
