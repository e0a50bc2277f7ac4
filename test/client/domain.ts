/** The types of a domain for `@rowgate/client`. Written by `rowgate types`: do not edit. */
export interface Domain {
  Categories: {
    key: 'id';
    properties: {
      id: { type: 'integer'; optional: true };
      name: { type: 'string' };
      description: { type: 'string'; nullable: true };
    };
    relations: {
      products: { entity: 'Products'; many: true; from: 'id'; to: 'categoryId' };
    };
  };
  Customers: {
    key: 'id';
    properties: {
      id: { type: 'string' };
      name: { type: 'string' };
      contact: { type: 'string'; nullable: true };
      phone: { type: 'string'; nullable: true };
      address: { type: 'string'; nullable: true };
      city: { type: 'string'; nullable: true };
      region: { type: 'string'; nullable: true };
      postalCode: { type: 'string'; nullable: true };
      country: { type: 'string'; nullable: true };
    };
    relations: {
      orders: { entity: 'Orders'; many: true; from: 'id'; to: 'customerId' };
    };
  };
  Employees: {
    key: 'id';
    properties: {
      id: { type: 'integer'; optional: true };
      lastName: { type: 'string' };
      firstName: { type: 'string' };
      title: { type: 'string'; nullable: true };
      titleOfCourtesy: { type: 'string'; nullable: true };
      birthDate: { type: 'dateTime'; nullable: true };
      hireDate: { type: 'dateTime'; nullable: true };
      phone: { type: 'string'; nullable: true };
      reportsToId: { type: 'integer'; nullable: true };
      address: { type: 'string'; nullable: true };
      city: { type: 'string'; nullable: true };
      region: { type: 'string'; nullable: true };
      postalCode: { type: 'string'; nullable: true };
      country: { type: 'string'; nullable: true };
    };
    relations: {
      reportsTo: { entity: 'Employees'; nullable: true; from: 'reportsToId'; to: 'id' };
      orders: { entity: 'Orders'; many: true; from: 'id'; to: 'employeeId' };
    };
  };
  Shippers: {
    key: 'id';
    properties: {
      id: { type: 'integer'; optional: true };
      name: { type: 'string' };
      phone: { type: 'string'; nullable: true };
    };
    relations: {};
  };
  Suppliers: {
    key: 'id';
    properties: {
      id: { type: 'integer'; optional: true };
      name: { type: 'string' };
      contact: { type: 'string'; nullable: true };
      phone: { type: 'string'; nullable: true };
      homepage: { type: 'string'; nullable: true };
      address: { type: 'string'; nullable: true };
      city: { type: 'string'; nullable: true };
      region: { type: 'string'; nullable: true };
      postalCode: { type: 'string'; nullable: true };
      country: { type: 'string'; nullable: true };
    };
    relations: {
      products: { entity: 'Products'; many: true; from: 'id'; to: 'supplierId' };
    };
  };
  Products: {
    key: 'id';
    properties: {
      id: { type: 'integer'; optional: true };
      name: { type: 'string' };
      supplierId: { type: 'integer' };
      categoryId: { type: 'integer'; nullable: true };
      quantity: { type: 'string'; nullable: true };
      price: { type: 'decimal'; nullable: true; optional: true };
      inStock: { type: 'decimal'; nullable: true; optional: true };
      onOrder: { type: 'decimal'; nullable: true; optional: true };
      reorderLevel: { type: 'decimal'; nullable: true; optional: true };
      discontinued: { type: 'boolean'; nullable: true; optional: true };
    };
    relations: {
      supplier: { entity: 'Suppliers'; from: 'supplierId'; to: 'id' };
      category: { entity: 'Categories'; nullable: true; from: 'categoryId'; to: 'id' };
      orderDetails: { entity: 'Orders.details'; many: true; from: 'id'; to: 'productId' };
    };
  };
  Orders: {
    key: 'id';
    properties: {
      id: { type: 'integer'; optional: true };
      customerId: { type: 'string' };
      employeeId: { type: 'integer' };
      orderDate: { type: 'dateTime'; nullable: true };
      requiredDate: { type: 'date'; nullable: true };
      shippedDate: { type: 'date'; nullable: true };
      shipViaId: { type: 'integer'; nullable: true };
      freight: { type: 'decimal'; nullable: true };
      name: { type: 'string'; nullable: true };
      address: { type: 'string'; nullable: true };
      city: { type: 'string'; nullable: true };
      region: { type: 'string'; nullable: true };
      postalCode: { type: 'string'; nullable: true };
      country: { type: 'string'; nullable: true };
    };
    relations: {
      customer: { entity: 'Customers'; from: 'customerId'; to: 'id' };
      employee: { entity: 'Employees'; from: 'employeeId'; to: 'id' };
      details: { entity: 'Orders.details'; many: true; from: 'id'; to: 'orderId' };
    };
  };
  'Orders.details': {
    key: 'orderId' | 'productId';
    properties: {
      orderId: { type: 'integer' };
      productId: { type: 'integer' };
      unitPrice: { type: 'decimal'; nullable: true };
      quantity: { type: 'decimal'; nullable: true };
      discount: { type: 'decimal'; nullable: true };
    };
    relations: {
      order: { entity: 'Orders'; from: 'orderId'; to: 'id' };
      product: { entity: 'Products'; from: 'productId'; to: 'id' };
    };
  };
}
