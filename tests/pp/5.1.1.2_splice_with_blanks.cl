int a\  
b;
